import { dependency } from '#lib/config'
import { type Item, openTable, type Table } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { type Counted, type Counters, minuteOf, type Tally } from './counters.ts'
import { throttleKey } from './throttle.keys.ts'

/**
 * Counters in the one table: an item for each subject and stretch of time, with a number for each of its
 * minutes. A window never reaches further back than the stretch before; both are removed by their time to live.
 */
export const openCounters = (table: Table): Counters => {
  const add = async (of: Counted, at: Date, { counted = 0, pending = 0 }: Parameters<Counters['add']>[2]) => {
    const { minute, block } = placeOf(of, at)
    return table.increment(
      keyOf(of, block),
      { pending, ...(counted !== 0 && { [attribute(minute - block * of.minutes)]: counted }) },
      { kind: 'throttle', expiresAtSeconds: (block + 3) * of.minutes * 60 },
    )
  }
  return {
    settle: async (of, at, by) => {
      await add(of, at, by)
    },
    add: async (of, at, by) => {
      const { block } = placeOf(of, at)
      const [now, before] = await Promise.all([add(of, at, by), table.get(keyOf(of, block - 1))])
      return tallyOf(of, at, before ?? {}, now)
    },
  }
}

const placeOf = ({ minutes }: Counted, at: Date) => {
  const minute = minuteOf(at)
  return { minute, block: Math.floor(minute / minutes) }
}

const keyOf = ({ subject, minutes }: Counted, block: number) =>
  throttleKey(subject, timestamp(new Date(block * minutes * 60_000)))

const attribute = (minuteOfBlock: number): string => `m${minuteOfBlock}`

function tallyOf(of: Counted, at: Date, before: Item, now: Item): Tally {
  const { minute: last, block } = placeOf(of, at)
  const counted = Array.from({ length: of.minutes + 1 }, (_, index) => {
    const minute = last - of.minutes + index
    const item = minute < block * of.minutes ? before : now
    return { minute, count: Number(item[attribute(minute % of.minutes)] ?? 0) }
  })
  return {
    counted: counted.filter(({ count }) => count !== 0),
    pending: Number(before['pending'] ?? 0) + Number(now['pending'] ?? 0),
  }
}

/** The function's counters. */
export const counterStore = dependency(['TABLE_NAME'], ({ TABLE_NAME }) =>
  openCounters(openTable(TABLE_NAME)),
)
