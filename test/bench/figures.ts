/** A cold start and its first request, and what both took of the processor, in milliseconds. */
type ColdStart = { init: number; first: number; cpu: number }

/** One of a function, and the one of the bare handler beside it. */
type Start = ColdStart & { bare: ColdStart }

export type Figures = { kilobytes: number; starts: Start[] }

/** The aim: the middle function takes so much of the bare handler's time. */
const AIM_MEDIAN = 1.2

/** Medians of every function that was started, dearest first, and how they stand to the aim. */
export function table(figures: ReadonlyMap<string, Figures>): string {
  const rows = [...figures]
    .map(([name, { starts, kilobytes }]) => ({
      name,
      init: median(starts.map(({ init }) => init)),
      first: median(starts.map(({ first }) => first)),
      total: median(starts.map(({ init, first }) => init + first)),
      bare: median(starts.map(({ bare }) => bare.init + bare.first)),
      ratio: median(starts.map(({ init, first, bare }) => (init + first) / (bare.init + bare.first))),
      cpu: median(starts.map(({ cpu }) => cpu)),
      cpuRatio: median(starts.map(({ cpu, bare }) => cpu / bare.cpu)),
      kilobytes,
    }))
    .sort((a, b) => b.ratio - a.ratio)
  const ratios = rows.map(({ ratio }) => ratio)
  const cpuRatios = rows.map(({ cpuRatio }) => cpuRatio)
  return [
    '| function | init | first request | total | bare | ÷ bare | CPU | ÷ bare | zip kB |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows.map(({ name, init, first, total, bare, ratio, cpu, cpuRatio, kilobytes }) => {
      const milliseconds = [init, first, total, bare].map(Math.round).join(' | ')
      return `| ${name} | ${milliseconds} | ${ratio.toFixed(2)} | ${Math.round(cpu)} | ${cpuRatio.toFixed(2)} | ${kilobytes} |`
    }),
    '',
    summary('time', ratios),
    // On a busy machine, this is the one to trust.
    summary('CPU', cpuRatios),
  ].join('\n')
}

const summary = (what: string, ratios: readonly number[]): string =>
  `${what} ÷ bare: median ${median(ratios).toFixed(2)} (aim ${AIM_MEDIAN}), most ${Math.max(...ratios).toFixed(2)}`

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2
}
