import { count } from '../parts/format.ts'
import { reasonLabel } from '../words/words.ts'

/** Reasons with how often each was given. */
export const reasonsText = (reasons: Readonly<Record<string, number>>): string =>
  Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([code, number]) => `${reasonLabel(code)} ${count(number)}`)
    .join(' · ')
