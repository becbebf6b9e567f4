import type { Change } from '../api/client.ts'
import { count } from '../parts/format.ts'
import { words } from '../words/words.ts'

/** The outcome of a change that says more than that it was sent, in words: what a run of payouts made. */
export function outcomeText({ path }: Change, answer: unknown): string {
  if (path !== '/admin/payouts/run' || typeof answer !== 'object' || answer === null) return ''
  const { created, skipped } = answer as Record<string, unknown>
  return words.payouts.ran(count(Number(created)), count(Number(skipped)))
}
