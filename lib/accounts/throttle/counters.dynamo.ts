import type { Item } from '#lib/dynamo/item'
import { onTable, type Table } from '#lib/dynamo/table'
import { timestamp } from '#lib/kernel/clock'
import { type Counted, type Counters, type Counts, SLOTS, slotOf, type Tally } from './counters.ts'
import { throttleKey } from './throttle.keys.ts'

/**
 * Counters in the one table: an item for each subject and stretch of time as long as its window, with a number
 * for each slot. So a window never reaches further back than the stretch before. The time to live removes them.
 */
export const openCounters = (table: Table): Counters => {
  const increment = (of: Counted, at: Date, { counted = 0, pending = 0 }: Counts) => {
    const slot = slotOf(of, at)
    const stretch = stretchOf(slot)
    return table.increment(
      keyOf(of, stretch),
      { pending, ...(counted !== 0 && { [attributeOf(slot)]: counted }) },
      { kind: 'throttle', expiresAtSeconds: (stretch + 3) * of.windowSeconds },
    )
  }
  return {
    settle: async (of, at, by) => {
      await increment(of, at, by)
    },
    add: async (of, at, by) => {
      const [now, before] = await Promise.all([
        increment(of, at, by),
        table.get(keyOf(of, stretchOf(slotOf(of, at)) - 1)),
      ])
      return tallyOf(slotOf(of, at), before ?? {}, now)
    },
  }
}

const stretchOf = (slot: number): number => Math.floor(slot / SLOTS)

const attributeOf = (slot: number): string => `s${slot % SLOTS}`

const keyOf = ({ subject, windowSeconds }: Counted, stretch: number) =>
  throttleKey(subject, timestamp(new Date(stretch * windowSeconds * 1000)))

function tallyOf(newest: number, before: Item, now: Item): Tally {
  const counted = Array.from({ length: SLOTS }, (_, index) => {
    const slot = newest - SLOTS + 1 + index
    const item = stretchOf(slot) === stretchOf(newest) ? now : before
    return { slot, count: Number(item[attributeOf(slot)] ?? 0) }
  })
  return {
    counted: counted.filter(({ count }) => count !== 0),
    pending: Number(before['pending'] ?? 0) + Number(now['pending'] ?? 0),
  }
}

/** The function's counters. */
export const counterStore = onTable(openCounters)
