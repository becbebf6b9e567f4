import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openAccounts } from '#lib/accounts/account-store.dynamo'
import { openDirectory } from '#lib/accounts/directory.dynamo'
import { openMailedLinks } from '#lib/accounts/mailed-links/mailed-links.dynamo'
import { openSessions } from '#lib/accounts/sessions/session-store.dynamo'
import { StandingChange } from '#lib/accounts/standing'
import { openStatusDecisions } from '#lib/accounts/status-decisions.dynamo'
import { openCounters } from '#lib/accounts/throttle/counters.dynamo'
import { openIdempotency } from '#lib/dynamo/idempotency.dynamo'
import type { Item } from '#lib/dynamo/item'
import type { Table } from '#lib/dynamo/table'
import { DomainEvent } from '#lib/events/event'
import { openKycRecords } from '#lib/kyc/kyc-records.dynamo'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { openWaitingMedia } from '#lib/listings/media/waiting-media.dynamo'
import { openSearchIndex } from '#lib/listings/search/search-index.dynamo'
import { MailRequest } from '#lib/mail/mail-request'
import { openInbox } from '#lib/payments/callbacks/inbox.dynamo'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import { Deletion } from '#lib/privacy/deletion'

const ROWS = new URL('../support/rows/', import.meta.url)

/** A table that answers every question with one row, and its records by `records` where that row only lists them. */
const tableOf = (row: Item, records: Item[] = [row]): Table => ({
  get: async () => records[0],
  getMany: async () => records,
  query: async () => ({ items: [row], last: undefined }),
  queryAll: async () => [row],
  count: async () => 1,
  increment: async () => row,
  writeEach: async () => {},
  commit: async () => {},
})

const LAST = '9999-12-31T23:59:59.999Z' as never
const ANY = 'any' as never
const PAGE = { limit: 1, after: undefined }

/** How a row of each kind is read by the store that has it: a read that finds nothing is no reading. */
const READERS: Record<string, (row: Item) => unknown> = {
  account: (row) => openAccounts(tableOf(row)).get(ANY),
  // The audit keeps no place any more: it looks at what has changed.
  audit: (row) => row['place'],
  deletion: (row) => Deletion.parse(row),
  directory: (row) => openDirectory(tableOf(row, [])).page({ list: 'ALL', ...PAGE }),
  email: (row) => openAccounts({ ...tableOf(row), get: byClaim(row) }).byEmail('awa@example.com'),
  event: (row) => DomainEvent.parse(row),
  idempotency: (row) => openIdempotency(tableOf(row)).find('caller', 'key'),
  'kyc-decision': async (row) => (await openKycRecords(tableOf(row)).decisions(ANY))[0],
  'kyc-document': async (row) => (await openKycRecords(tableOf(row)).documents(ANY))[0],
  'kyc-expiry': async (row) => (await openKycRecords(tableOf(row)).endingOn(new Date(), LAST))[0],
  'kyc-links': async (row) => (await openKycRecords(tableOf(row)).links(ANY))[0],
  listing: (row) => openListings(tableOf(row)).get(ANY),
  'listing-move': async (row) => (await openListings(tableOf(row)).moves(ANY))[0],
  'mail-request': (row) => MailRequest.parse(row),
  'mailed-link': (row) => openMailedLinks(tableOf(row)).get(ANY),
  notification: (row) => openInbox(tableOf(row)).get(row['id'] as never),
  'notification-entry': (row) => openInbox(tableOf(row, [])).list('ATTENTION', PAGE),
  payment: (row) => openPayments(tableOf(row)).get(ANY),
  'payment-due': async (row) => (await openPayments(tableOf(row)).due(LAST, { part: 0, ...PAGE }))[0],
  'payment-entry': (row) => openPayments(tableOf(row, [])).list('ALL', PAGE),
  // Kept for people to read: nothing in the service reads it again.
  'payment-move': (row) => row['to'],
  'payment-reference': (row) =>
    openPayments({ ...tableOf(row), get: async () => firstOf('payment') }).byReference('any', [
      String(row['reference']),
    ]),
  posting: async (row) => (await openPayments(tableOf(row)).postings(ANY))[0],
  'search-entry': async (row) => {
    const question = { partition: 'any', descending: false, limit: 1, after: undefined }
    return (await openSearchIndex(tableOf(row)).read(question)).found[0]
  },
  'search-writing': async (row) => (await openSearchIndex(tableOf(row)).entered(ANY))[0],
  session: (row) => openSessions(tableOf(row)).get(ANY),
  standing: (row) => StandingChange.parse(row),
  'status-decision': async (row) => (await openStatusDecisions(tableOf(row)).of(ANY))[0],
  throttle: (row) =>
    openCounters(tableOf(row)).add({ subject: 'any', windowSeconds: 900 }, new Date(), { counted: 1 }),
  waiting: (row) => openInbox(tableOf(row, [])).waiting('any', ['any']),
  'waiting-media': async (row) => (await openWaitingMedia(tableOf(row)).since(new Date(), LAST))[0],
}

/** The claim on an address, and then the account that it names. */
const byClaim = (claim: Item) => {
  const answers = [claim, firstOf('account')]
  return async () => answers.shift()
}

const firstOf = (kind: string): Item | undefined =>
  [...recorded.values()].flat().find((row) => row['kind'] === kind)

/** Bytes stand in JSON as `{"$binary": "<base64>"}`. */
const revived = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$binary' in value
    ? new Uint8Array(Buffer.from(String(value.$binary), 'base64'))
    : value

const recorded = new Map<string, Item[]>()
for (const name of await readdir(ROWS)) {
  const rows = JSON.parse(await readFile(new URL(name, ROWS), 'utf8'), revived) as Item[]
  recorded.set(name.replace(/\.json$/, ''), rows)
}

const every = [...recorded].flatMap(([edition, rows]) =>
  rows.map((row, place): [string, string, Item] => [edition, `${String(row['kind'])} ${place}`, row]),
)

it.each(every)('a row that the %s wrote is still read: %s', async (_edition, _name, row) => {
  const read = READERS[String(row['kind'])]
  expect(read, `Say in this test how a row of the kind ${row['kind']} is read`).toBeDefined()
  expect(await read?.(row)).toBeDefined()
})

it.each([...recorded])('of every kind, the %s has left a row', (_edition, rows) => {
  const kinds = new Set(rows.map(({ kind }) => kind))
  expect(kinds.size).toBe(Object.keys(READERS).length)
})

it('a reason that only a newer version knows reads as another one', async () => {
  const account = firstOf('account')
  const kyc = { ...(account?.['kyc'] as Item), reasons: ['underage', 'reason_of_a_newer_version'] }
  const read = await openAccounts(tableOf({ ...account, kyc })).get(ANY)
  expect(read?.kyc.reasons).toEqual(['underage', 'other'])
})
