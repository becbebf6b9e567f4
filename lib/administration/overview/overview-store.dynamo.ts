import * as z from 'zod'
import { userListPartition } from '#lib/accounts/account.keys'
import { queryShards, readSortKey } from '#lib/dynamo/lists'
import type { StreamChange } from '#lib/dynamo/stream'
import { onTable, type Table } from '#lib/dynamo/table'
import { DAY_SECONDS, unixSeconds } from '#lib/kernel/clock'
import type { Key, Write } from '#lib/kernel/write'
import { ATTENTION } from '#lib/payments/callbacks/callback-store'
import { callbackListPartition } from '#lib/payments/payment.keys'
import { payoutListPartition } from '#lib/payouts/payout.keys'
import { ATTENTION as WAITING_PAYOUTS } from '#lib/payouts/payout-store'
import {
  countersSince,
  overviewCounterKey,
  overviewPartitions,
  overviewShareKey,
  overviewWaitingKey,
  overviewWaitingPartition,
  paymentsCounter,
  signUpsCounter,
  waitingCounter,
} from './overview.keys.ts'
import type { OverviewCount, OverviewReader, OverviewStore } from './overview-store.ts'
import { Counter, OverviewPart } from './parts.ts'

const StoredShare = z.object({ parts: z.array(OverviewPart), revision: z.int() })

/** A sum of amounts above 2^53 is rounded. */
const StoredCount = z.object({ counter: Counter, count: z.int(), amount: z.coerce.number() })

/** The counters of a day are stored for this time, and so is each subject's share in them. */
const DAY_KEPT_SECONDS = 10 * DAY_SECONDS

/** An empty share stays stored for this time, so that a worker that read an older record of the subject conflicts. */
const NOTHING_KEPT_SECONDS = DAY_SECONDS

/** Opens the overview in the one table. */
const openOverview = (table: Table): OverviewStore => ({
  share: async (subject) => {
    const item = await table.get(overviewShareKey(subject))
    return item && StoredShare.parse(item)
  },
  recount: (subject, seen, parts, now) => [
    table.put(
      {
        ...overviewShareKey(subject),
        kind: 'overview-share',
        parts,
        revision: (seen?.revision ?? 0) + 1,
        expiresAtSeconds: expiryOf(parts, now),
      },
      { when: seen ? { equals: { revision: seen.revision } } : 'absent' },
    ),
    ...countWrites(table, subject, seen?.parts ?? [], parts),
    ...waitingWrites(table, subject, seen?.parts ?? [], parts),
  ],
  counts: async (day) => {
    const between = countersSince(day)
    const rows = await Promise.all(
      overviewPartitions().map((partition) => table.queryAll({ partition, between })),
    )
    const counts = rows.flat().map((row) => StoredCount.parse(row))
    return [...Map.groupBy(counts, ({ counter }) => nameOf(counter)).values()].flatMap(summedUp)
  },
  waiting: async (queue, page) => {
    const { items, next } = await queryShards(table, overviewWaitingPartition(queue), page)
    return { items: items.map(({ sk }) => readEntry(String(sk))), next }
  },
  commit: table.commit,
})

const nameOf = (counter: Counter): string => {
  switch (counter.of) {
    case 'waiting':
      return waitingCounter(counter.queue)
    case 'signUps':
      return signUpsCounter(counter.date)
    default:
      return paymentsCounter(counter.date, counter.currency, counter.status)
  }
}

/** Adds the difference between the old and the new parts to each counter. */
function countWrites(
  table: Table,
  subject: string,
  seen: readonly OverviewPart[],
  parts: readonly OverviewPart[],
): Write[] {
  const taken = seen.map((part) => ({ ...part, count: -part.count, amount: -part.amount }))
  const byCounter = Map.groupBy([...taken, ...parts], ({ counter }) => nameOf(counter))
  return [...byCounter].flatMap(([name, changes]): Write[] =>
    summedUp(changes).flatMap(({ counter, count, amount }) => {
      if (count === 0 && amount === 0) return []
      const set = { kind: 'overview-count', counter, ...expiryOfCounter(counter) }
      return [table.update(overviewCounterKey(name, subject), { set, add: { count, amount } })]
    }),
  )
}

/** Replaces a subject's entries in the queues. */
function waitingWrites(
  table: Table,
  subject: string,
  seen: readonly OverviewPart[],
  parts: readonly OverviewPart[],
): Write[] {
  const [old, next] = [entryKeysOf(subject, seen), entryKeysOf(subject, parts)]
  const gone = old.filter((key) => !hasKey(next, key))
  const added = next.filter((key) => !hasKey(old, key))
  return [
    ...gone.map((key): Write => table.remove(key)),
    ...added.map((key): Write => table.put({ ...key, kind: 'overview-waiting' })),
  ]
}

const hasKey = (keys: readonly Key[], { pk, sk }: Key): boolean =>
  keys.some((each) => each.pk === pk && each.sk === sk)

const entryKeysOf = (subject: string, parts: readonly OverviewPart[]) =>
  parts.flatMap(({ counter, since }) =>
    counter.of === 'waiting' && since !== null ? [overviewWaitingKey(counter.queue, since, subject)] : [],
  )

const readEntry = (order: string) => {
  const { at, id } = readSortKey(order)
  return { since: at, subject: id }
}

const summedUp = (counts: readonly OverviewCount[]): OverviewCount[] => {
  const [first] = counts
  if (!first) return []
  const sum = (of: (count: OverviewCount) => number) => counts.reduce((total, each) => total + of(each), 0)
  return [{ counter: first.counter, count: sum(({ count }) => count), amount: sum(({ amount }) => amount) }]
}

const expiryOfCounter = (counter: Counter) =>
  counter.of === 'waiting'
    ? {}
    : { expiresAtSeconds: Math.floor(Date.parse(counter.date) / 1000) + DAY_KEPT_SECONDS }

/** Returns when the stored parts of a subject expire; undefined while the subject waits in a queue. */
function expiryOf(parts: readonly OverviewPart[], now: Date): number | undefined {
  if (parts.some(({ counter }) => counter.of === 'waiting')) return undefined
  const kept = parts.length > 0 ? DAY_KEPT_SECONDS : NOTHING_KEPT_SECONDS
  return unixSeconds(now) + kept
}

/** The rows that the overview follows, by kind: the attribute with the subject's id, and the lists whose entries count. */
const FOLLOWED: Record<string, { id: string; lists?: readonly string[] }> = {
  'user-list': { id: 'userId', lists: [userListPartition('ALL'), userListPartition('WAITING')] },
  listing: { id: 'id' },
  reported: { id: 'listingId' },
  'reported-enquiry': { id: 'enquiryId' },
  'callback-entry': { id: 'sk', lists: [callbackListPartition(ATTENTION)] },
  // Every change of a payment puts this row.
  'payment-to-audit': { id: 'sk' },
  'payout-entry': { id: 'sk', lists: [payoutListPartition(WAITING_PAYOUTS)] },
}

/** Returns the id of the subject to count again after a change; undefined for a row that the overview ignores. */
export function changedSubject({ before, after }: StreamChange): string | undefined {
  const item = after ?? before ?? {}
  const followed = FOLLOWED[String(item['kind'])]
  // Every row of a kind without `lists` counts.
  const isListed = followed?.lists?.some((list) => String(item['pk']).startsWith(`${list}#`)) ?? true
  return followed && isListed ? String(item[followed.id]) : undefined
}

/** The overview, as a dependency of functions. */
export const overview = onTable(openOverview, {
  reads: ['OVERVIEW', 'OVERVIEW-SHARE', 'OVERVIEW-WAITING'],
  writes: ['OVERVIEW', 'OVERVIEW-SHARE', 'OVERVIEW-WAITING'],
})

export const overviewReader = onTable((table): OverviewReader => openOverview(table), {
  reads: ['OVERVIEW', 'OVERVIEW-SHARE', 'OVERVIEW-WAITING'],
})
