import * as z from 'zod'
import { readSortKey } from '#lib/dynamo/lists'
import type { QueryOptions } from '#lib/dynamo/reads'
import { storeOnTable, type Table } from '#lib/dynamo/table'
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
import { GivenLinks, type KycStore, RecordedDecision } from './kyc-store.ts'

const ExpiryEntry = z.object({ userId: UserId, sk: z.string(), isAnnounced: z.boolean().default(false) })

/**
 * Opens the identity records in the one table. Reading all of one kind is a query, and another one for each further
 * megabyte. In a condition, `undefined` requires that the attribute is missing.
 */
export const openKycStore = (table: Table): KycStore => {
  const recordAnnouncement: KycStore['recordAnnouncement'] = (userId, expiresAt) => ({
    put: { ...kycAnnouncedKey(userId, expiresAt), kind: 'kyc-expiring' },
    when: 'absent',
  })
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
    insertDecision: (userId, decision) => ({
      put: { ...decisionKey(userId, decision.id), kind: 'kyc-decision', userId, ...decision },
      when: 'absent',
    }),
    moveExpiry: (userId, before, after, { isAnnounced = false } = {}) => {
      if (before === after) return []
      const entry = { kind: 'kyc-expiry', userId, ...(isAnnounced && { isAnnounced }) }
      return [
        ...(before ? [{ remove: kycExpiryKey(userId, before) }] : []),
        ...(after ? [{ put: { ...kycExpiryKey(userId, after), ...entry } }] : []),
      ]
    },
    isExpiryAnnounced: async (userId, expiresAt) =>
      (await table.get(kycAnnouncedKey(userId, expiresAt))) !== undefined,
    recordAnnouncement,
    // The mark lets the job skip the entry. The record outlasts the entry: a decision may set the same end again.
    announceExpiry: ({ userId, expiresAt }) => [
      {
        update: kycExpiryKey(userId, expiresAt),
        set: { isAnnounced: true },
        when: { equals: { isAnnounced: undefined } },
      },
      recordAnnouncement(userId, expiresAt),
    ],
    insertDocument: (userId, document) => ({
      put: {
        ...documentKey(userId, document.id),
        ...documentOwnerIndex(document.id, userId),
        kind: 'kyc-document',
        userId,
        ...document,
      },
      when: 'absent',
    }),
    removeDocument: (userId, { id }) => ({ remove: documentKey(userId, id) }),
    // A document that an administrator has seen can no longer be withdrawn.
    withdraw: (userId, { id }, at) => ({
      update: documentKey(userId, id),
      set: { withdrawnAt: at },
      when: { equals: { seenAt: undefined } },
    }),
    recordLinks: (userId, links, documents) => [
      { put: { ...documentLinksKey(userId, links.id), kind: 'kyc-links', userId, ...links }, when: 'absent' },
      ...unseenOf(documents).map(
        ({ id }): Write => ({
          update: documentKey(userId, id),
          set: { seenAt: links.at },
          when: { equals: { withdrawnAt: undefined } },
        }),
      ),
    ],
    commit: table.commit,
  }
}

/** The store of identity records, as a dependency of functions. */
export const kycStore = storeOnTable(
  openKycStore,
  {
    listDocuments: { USER: ['query'] },
    listWithdrawn: { USER: ['query'] },
    ownerOf: { 'gsi2:DOCUMENT': ['query'] },
    listDecisions: { USER: ['query'] },
    listGivenLinks: { USER: ['query'] },
    listEndingOn: { 'KYC-EXPIRY': ['query'] },
    insertDecision: { USER: ['put'] },
    moveExpiry: { 'KYC-EXPIRY': ['put', 'remove'] },
    isExpiryAnnounced: { USER: ['get'] },
    recordAnnouncement: { USER: ['put'] },
    announceExpiry: { 'KYC-EXPIRY': ['update'], USER: ['put'] },
    insertDocument: { USER: ['put'] },
    removeDocument: { USER: ['remove'] },
    withdraw: { USER: ['update'] },
    recordLinks: { USER: ['put', 'update'] },
    commit: {},
  },
  {
    usesTestedElsewhere: {
      because: 'entries are added, moved and removed only in tests with a verification that expires',
      uses: { 'KYC-EXPIRY': ['put', 'update', 'remove'] },
    },
  },
)
