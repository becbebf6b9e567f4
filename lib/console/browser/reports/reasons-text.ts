import { count } from '../parts/format.ts'
import { type ReasonAbout, reasonLabel } from '../words/words.ts'

/** Reasons with how often each was given. */
export const reasonsText = (about: ReasonAbout, reasons: Readonly<Record<string, number>>): string =>
  Object.entries(reasons)
    .sort(([, a], [, b]) => b - a)
    .map(([code, number]) => `${reasonLabel(about, code)} ${count(number)}`)
    .join(' · ')
