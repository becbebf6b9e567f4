import type { Change } from '../api/client.ts'
import { count } from '../parts/format.ts'
import { words } from '../words/words.ts'

/** Returns how many payouts a run created and skipped, in words; an empty text for every other change. */
export function outcomeText({ path }: Change, answer: unknown): string {
  if (path !== '/admin/payouts/run' || typeof answer !== 'object' || answer === null) return ''
  const { created, skipped } = answer as Record<string, unknown>
  return words.payouts.payEveryoneDone(count(Number(created)), count(Number(skipped)))
}
