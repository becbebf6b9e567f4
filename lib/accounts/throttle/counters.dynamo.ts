import type { Item } from '#lib/dynamo/item'
import { onTable, type Table } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { type Counted, type Counters, type Counts, SLOTS, slotOf, type Tally } from './counters.ts'
import { throttleKey } from './throttle.keys.ts'

/**
 * Opens the counters in the one table. Time is divided into periods as long as the window. An item counts a subject's
 * attempts of one period: the decided ones by slot, the undecided ones (`pending`) in one number. A window spans at most
 * the present period and the previous one.
 */
export const openCounters = (table: Table): Counters => {
  const increment = (of: Counted, at: Date, { counted = 0, pending = 0 }: Counts) => {
    const slot = slotOf(of, at)
    const period = periodOf(slot)
    return table.increment(
      keyOf(of, period),
      { pending, ...(counted !== 0 && { [attributeOf(slot)]: counted }) },
      // The item is read until the next period ends. One more period is a margin for differing clocks.
      { kind: 'throttle', expiresAtSeconds: (period + 3) * of.windowSeconds },
    )
  }
  return {
    settle: async (of, at, by) => {
      await increment(of, at, by)
    },
    add: async (of, at, by) => {
      const [now, before] = await Promise.all([
        increment(of, at, by),
        table.get(keyOf(of, periodOf(slotOf(of, at)) - 1)),
      ])
      return tallyOf(slotOf(of, at), before ?? {}, now)
    },
  }
}

const periodOf = (slot: number): number => Math.floor(slot / SLOTS)

const attributeOf = (slot: number): string => `s${slot % SLOTS}`

const keyOf = ({ subject, windowSeconds }: Counted, period: number) =>
  throttleKey(subject, timestamp(new Date(period * windowSeconds * 1000)))

function tallyOf(newest: number, before: Item, now: Item): Tally {
  const counted = Array.from({ length: SLOTS }, (_, index) => {
    const slot = newest - SLOTS + 1 + index
    const item = periodOf(slot) === periodOf(newest) ? now : before
    return { slot, count: Number(item[attributeOf(slot)] ?? 0) }
  })
  return {
    counted: counted.filter(({ count }) => count !== 0),
    pending: Number(before['pending'] ?? 0) + Number(now['pending'] ?? 0),
  }
}

/** The counters, as a dependency of functions. */
export const counterStore = onTable(openCounters, { reads: ['THROTTLE'], writes: ['THROTTLE'] })
