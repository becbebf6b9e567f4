import { type Counted, type Counters, countedOf, secondsUntilBelow } from '#lib/accounts/throttle/counters'
import { HOUR_SECONDS } from '#lib/kernel/clock'
import { tooManyRequests } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'

const PROMPTS_AN_HOUR = 3

/**
 * Counts a prompt, which asks a payer to confirm on the telephone, before the provider is called. Throws
 * `too_many_requests` for the fourth to one telephone, or by one person, within an hour; a refused prompt is not counted.
 */
export async function countPrompt(
  counters: Counters,
  { userId, phone }: { userId: UserId; phone: string },
  now: Date,
): Promise<void> {
  const limits = [`prompt to ${phone}`, `prompt by ${userId}`].map(
    (subject): Counted => ({ subject, windowSeconds: HOUR_SECONDS }),
  )
  // Counted before they are judged, so that simultaneous prompts do not all pass.
  const added = await Promise.all(
    limits.map(async (limit) => ({ limit, tally: await counters.add(limit, now, { counted: 1 }) })),
  )
  const exceeded = added.find(({ tally }) => countedOf(tally) > PROMPTS_AN_HOUR)
  if (!exceeded) return
  // Takes back both counts of the refused prompt.
  await Promise.all(limits.map((each) => counters.settle(each, now, { counted: -1 })))
  // The tally still holds the refused prompt.
  const seconds = secondsUntilBelow(exceeded.limit, exceeded.tally, PROMPTS_AN_HOUR + 1, now)
  throw tooManyRequests({ policy: 'prompts', limit: PROMPTS_AN_HOUR, windowSeconds: HOUR_SECONDS }, seconds)
}
