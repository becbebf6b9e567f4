/** The bytes of a file from `from` up to `to`, not included. */
export type Range = { from: number; to: number }

/** More than the chunks of a film of six hours in which every sample is a chunk of its own. */
const RANGES_MAX = 2_000_000

/** Collects the ranges of a film that hold samples. */
type SampleRanges = {
  add: (range: Range) => void
  /** Whether there were more ranges than any film has. */
  isFull: () => boolean
  /** Returns the parts of other ranges, in order and apart from each other, that hold no sample. */
  gapsIn: (others: readonly Range[]) => Range[]
}

/** Collects ranges, which may overlap and come in any order. */
export function collectRanges(): SampleRanges {
  const starts: number[] = []
  const ends: number[] = []
  return {
    add: ({ from, to }) => {
      if (to <= from || starts.length > RANGES_MAX) return
      starts.push(from)
      ends.push(to)
    },
    isFull: () => starts.length > RANGES_MAX,
    gapsIn: (others) => {
      const samples = merged(Float64Array.from(starts).sort(), Float64Array.from(ends).sort())
      let sample = samples.next().value
      return others.flatMap(({ from, to }) => {
        const gaps: Range[] = []
        let at = from
        while (sample && sample.from < to) {
          if (sample.from > at) gaps.push({ from: at, to: sample.from })
          at = Math.max(at, sample.to)
          // The rest of this one may be in the next range.
          if (sample.to > to) break
          sample = samples.next().value
        }
        if (at < to) gaps.push({ from: at, to })
        return gaps
      })
    },
  }
}

/**
 * Yields ranges in order, those that touch or overlap as one. Starts and ends may be sorted apart: where as many have ended
 * as have begun, a range ends.
 */
function* merged(starts: Float64Array, ends: Float64Array): Generator<Range, undefined> {
  let first = 0
  for (const [index, to] of ends.entries()) {
    const next = starts[index + 1]
    if (next !== undefined && next <= to) continue
    yield { from: starts[first] ?? 0, to }
    first = index + 1
  }
  return undefined
}
