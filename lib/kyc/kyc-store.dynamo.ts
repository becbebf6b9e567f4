import * as z from 'zod'
import { readSortKey } from '#lib/dynamo/lists'
import type { QueryOptions } from '#lib/dynamo/reads'
import { onTable, type Table } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { KycDocument, unseenOf } from './document.ts'
import {
  decisionKey,
  decisionQuery,
  documentKey,
  documentLinksKey,
  documentLinksQuery,
  documentOwnerIndex,
  documentOwnerQuery,
  documentQuery,
  kycAnnouncedKey,
  kycExpiryKey,
  kycExpiryPartition,
} from './kyc.keys.ts'
import { GivenLinks, type KycReader, type KycStore, RecordedDecision } from './kyc-store.ts'

const ExpiryEntry = z.object({ userId: UserId, sk: z.string(), isAnnounced: z.boolean().default(false) })

/**
 * Opens the identity records in the one table. Reading all of one kind is a query, and another one for each further
 * megabyte. In a condition, `undefined` requires that the attribute is missing.
 */
export const openKycStore = (table: Table): KycStore => {
  const recordAnnouncement: KycStore['recordAnnouncement'] = (userId, expiresAt) =>
    table.put({ ...kycAnnouncedKey(userId, expiresAt), kind: 'kyc-expiring' }, { when: 'absent' })
  const all = (options: QueryOptions) => table.queryAll({ ...options, consistent: true })
  const stored = async (userId: UserId) =>
    (await all(documentQuery(userId))).map((item) => KycDocument.parse(item))
  return {
    listDocuments: async (userId) => (await stored(userId)).filter(({ withdrawnAt }) => !withdrawnAt),
    listWithdrawn: async (userId) => (await stored(userId)).filter(({ withdrawnAt }) => withdrawnAt),
    ownerOf: async (id) => {
      const { items } = await table.query({ ...documentOwnerQuery(id), limit: 1 })
      return UserId.optional().parse(items[0]?.['gsi2sk'])
    },
    listDecisions: async (userId) =>
      (await all(decisionQuery(userId)))
        .map((item) => RecordedDecision.parse(item))
        .sort((one, other) => other.decisionCount - one.decisionCount),
    listGivenLinks: async (userId) =>
      (await all(documentLinksQuery(userId))).map((item) => GivenLinks.parse(item)),
    listEndingOn: async (day, until) => {
      const items = await all({ partition: kycExpiryPartition(timestamp(day)) })
      return items
        .map((item) => ExpiryEntry.parse(item))
        .map(({ sk, ...entry }) => ({ ...entry, expiresAt: readSortKey(sk).at }))
        .filter(({ expiresAt }) => expiresAt <= until)
    },
    insertDecision: (userId, decision) =>
      table.put(
        { ...decisionKey(userId, decision.id), kind: 'kyc-decision', userId, ...decision },
        { when: 'absent' },
      ),
    moveExpiry: (userId, before, after, { isAnnounced = false } = {}) => {
      if (before === after) return []
      const entry = { kind: 'kyc-expiry', userId, ...(isAnnounced && { isAnnounced }) }
      return [
        ...(before ? [table.remove(kycExpiryKey(userId, before))] : []),
        ...(after ? [table.put({ ...kycExpiryKey(userId, after), ...entry })] : []),
      ]
    },
    isExpiryAnnounced: async (userId, expiresAt) =>
      (await table.get(kycAnnouncedKey(userId, expiresAt))) !== undefined,
    recordAnnouncement,
    // The mark lets the job skip the entry. The record outlasts the entry: a decision may set the same end again.
    announceExpiry: ({ userId, expiresAt }) => [
      table.update(kycExpiryKey(userId, expiresAt), {
        set: { isAnnounced: true },
        when: { equals: { isAnnounced: undefined } },
      }),
      recordAnnouncement(userId, expiresAt),
    ],
    insertDocument: (userId, document) =>
      table.put(
        {
          ...documentKey(userId, document.id),
          ...documentOwnerIndex(document.id, userId),
          kind: 'kyc-document',
          userId,
          ...document,
        },
        { when: 'absent' },
      ),
    removeDocument: (userId, { id }) => table.remove(documentKey(userId, id)),
    // A document that an administrator has seen can no longer be withdrawn.
    withdraw: (userId, { id }, at) =>
      table.update(documentKey(userId, id), {
        set: { withdrawnAt: at },
        when: { equals: { seenAt: undefined } },
      }),
    recordLinks: (userId, links, documents) => [
      table.put(
        { ...documentLinksKey(userId, links.id), kind: 'kyc-links', userId, ...links },
        { when: 'absent' },
      ),
      ...unseenOf(documents).map(
        ({ id }): Write =>
          table.update(documentKey(userId, id), {
            set: { seenAt: links.at },
            when: { equals: { withdrawnAt: undefined } },
          }),
      ),
    ],
    commit: table.commit,
  }
}

/** The store of identity records, as a dependency of functions. */
export const kycStore = onTable(openKycStore, {
  reads: ['KYC-EXPIRY', 'USER', 'gsi2:DOCUMENT'],
  writes: ['KYC-EXPIRY', 'USER'],
})

export const kycReader = onTable((table): KycReader => openKycStore(table), {
  reads: ['KYC-EXPIRY', 'USER', 'gsi2:DOCUMENT'],
})
