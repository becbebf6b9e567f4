/** Choices that a seed decides. */
export type Random = {
  /** A whole number from 0 up to, and without, `end`. */
  below: (end: number) => number
  /** Whether something of this probability happens. */
  chance: (probability: number) => boolean
  /** One of several values, of which there must be one. */
  pick: <Value>(values: readonly [Value, ...Value[]] | readonly Value[]) => Value
}

/** Returns the same choices for the same seed (Mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (end: number) => Math.floor(fraction() * end)
  return {
    below,
    chance: (probability) => fraction() < probability,
    pick: (values) => {
      if (values.length === 0) throw new RangeError('There is nothing to pick from')
      return values[below(values.length)] as (typeof values)[number]
    },
  }
}
