import * as z from 'zod'
import { secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'

/**
 * The latest attempt at a refund of ours. `asking`: the provider is being called; after a minute the caller has died.
 * `answered`: the provider has it. `done` and `failed`: it has ended. `unknown`: no answer came, so that it may or may
 * not have been made.
 */
export const Attempt = z.object({
  state: z.enum(['asking', 'answered', 'done', 'failed', 'unknown']),
  /** Counts the attempts: each has an idempotency key of its own. */
  number: z.int().min(1),
  /** When the attempt began. */
  at: Timestamp,
  /** Whether the request was certainly not carried out: it may be sent again, under the same key. */
  isUnsent: z.boolean().default(false),
  /** Whether the provider can be read to learn what came of it. */
  isReadable: z.boolean(),
  /** How many readings since did not hold the refund. */
  misses: z.int().min(0),
  /** How many facts there were when an administrator resolved it; null unless one did. Later facts go first. */
  resolvedAfter: z.int().min(0).nullable(),
  /** What the administrator noted then. */
  note: z.string().nullable().default(null),
})
export type Attempt = z.infer<typeof Attempt>

/** Longer than any function asks. */
const ASKING_SECONDS = 60
const LONGEST_WAIT_SECONDS = 24 * 60 * 60
const MISSES_LIMIT = 2

/** The first attempt, or the next one after an earlier. */
export const attemptAfter = (earlier: Attempt | undefined, isReadable: boolean, now: Date): Attempt => ({
  state: 'asking',
  number: attemptsMade(earlier) + 1,
  at: timestamp(now),
  isUnsent: false,
  isReadable,
  misses: 0,
  resolvedAfter: null,
  note: null,
})

/** How many attempts may have been carried out. */
export const attemptsMade = (attempt: Attempt | null | undefined): number =>
  attempt ? attempt.number - (attempt.isUnsent ? 1 : 0) : 0

/** The provider's idempotency key of an attempt. The first one's is the refund's id alone. */
export const keyOf = (id: string, { number }: Pick<Attempt, 'number'>): string =>
  number === 1 ? id : `${id}-${number}`

/** The keys of all attempts up to this one. */
export const keysOf = (id: string, { number }: Attempt): string[] =>
  Array.from({ length: number }, (_, place) => keyOf(id, { number: place + 1 }))

/** Whether somebody is calling the provider now. */
export const isBeingAsked = ({ state, at }: Attempt, now: Date): boolean =>
  state === 'asking' && now < secondsAfter(new Date(at), ASKING_SECONDS)

/**
 * Whether a person has to say what came of an attempt: its provider, read twice or 24 hours after the order, holds no
 * such refund, or cannot be read. Only for refunds that have not ended.
 */
export function needsResolution(attempt: Attempt, now: Date): boolean {
  if (attempt.state === 'done' || attempt.state === 'failed' || isBeingAsked(attempt, now)) return false
  if (attempt.misses >= MISSES_LIMIT) return true
  const isLate = now >= secondsAfter(new Date(attempt.at), LONGEST_WAIT_SECONDS)
  if (attempt.state === 'answered') return isLate && !attempt.isReadable
  return isLate || !attempt.isReadable
}
