/** How many listings are asked for. */
export const PAGE = 20

/** What was asked of the table: requests, what queries read, what DynamoDB charges, what was written. */
export type Spent = { requests: number; entries: number; capacity: number; written: number }

/** What a page took, and how many listings it answered. */
export type Figures = { answered: number; milliseconds: number } & Spent

const at = (share: number, numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(share * numbers.length))] ??
  Number.NaN

const both = (numbers: readonly number[], digits = 0): string =>
  `${at(0.5, numbers).toFixed(digits)} / ${at(0.95, numbers).toFixed(digits)}`

type Measure = { name: string; of: (page: Figures) => number; digits: number }

/** The columns of the table of figures. */
export const MEASURES: readonly Measure[] = [
  { name: 'requests', of: ({ requests }) => requests, digits: 0 },
  { name: 'entries per listing', of: ({ entries, answered }) => entries / answered, digits: 2 },
  { name: 'read units', of: ({ capacity }) => capacity, digits: 1 },
  { name: 'ms', of: ({ milliseconds }) => milliseconds, digits: 0 },
  { name: 'listings', of: ({ answered }) => answered, digits: 0 },
]

/** What a measure is on pages; a page without listings has no entries for each. */
const measuredOn = (pages: readonly Figures[], { of }: Measure): number[] =>
  pages.map(of).filter((number) => Number.isFinite(number))

/** A row of the table of figures. */
export const row = (name: string, pages: readonly Figures[]): string =>
  `| ${[name, ...MEASURES.map((measure) => both(measuredOn(pages, measure), measure.digits))].join(' | ')} |`

/** Whether a page holds as many listings as it may: what pages of a small and a large marketplace have in common. */
export const isFull = ({ answered }: Figures): boolean => answered === PAGE

/** What pages take beside what others take: how many times as much, at p50 and p95. */
export function compared(pages: readonly Figures[], others: readonly Figures[]): string {
  const times = (measure: Measure, share: number) =>
    (at(share, measuredOn(pages, measure)) / at(share, measuredOn(others, measure))).toFixed(2)
  return MEASURES.filter(({ name }) => name !== 'listings')
    .map((measure) => `${measure.name} ${times(measure, 0.5)} / ${times(measure, 0.95)}`)
    .join(', ')
}
