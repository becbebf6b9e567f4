import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'

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
  /** When the call to the provider ended, answered or not; null until that is stored. */
  calledAt: Timestamp.nullable(),
  /** Whether the request was certainly not carried out: it may be sent again, under the same key. */
  isUnsent: z.boolean(),
  /** Whether the provider can be read to learn what came of the attempt. */
  isReadable: z.boolean(),
  /** Whether the provider shows refunds in a list that may lag: a second miss then counts only minutes after the first. */
  listsLate: z.boolean(),
  /** The number of readings since the attempt that did not hold the refund. */
  misses: z.int().min(0),
  /** When the latest of these readings began; null without one. */
  missedAt: Timestamp.nullable(),
  /** Whether an administrator has resolved it. */
  isResolved: z.boolean(),
})
export type Attempt = z.infer<typeof Attempt>

/** After a minute the caller has ended: functions end after 29 s. */
const ASKING_SECONDS = 60
const LONGEST_WAIT_SECONDS = DAY_SECONDS
const MISSES_LIMIT = 2

/** Begins the first attempt, or the next one. After an unsent attempt the next has its number, and so its key. */
export const attemptAfter = (
  earlier: Attempt | undefined,
  reading: Pick<Attempt, 'isReadable' | 'listsLate'>,
  now: Date,
): Attempt => ({
  state: 'asking',
  number: attemptsMade(earlier) + 1,
  at: timestamp(now),
  calledAt: null,
  isUnsent: false,
  ...reading,
  misses: 0,
  missedAt: null,
  isResolved: false,
})

/** Returns how the outcome of a refund can be read at a provider. */
export const readabilityOf = (provider: { readPayment?: unknown; listsRefundsLate?: boolean }) => ({
  isReadable: provider.readPayment !== undefined,
  listsLate: provider.listsRefundsLate === true,
})

/** The time for which a list may lag after a first miss. */
const LAG_SECONDS = 2 * 60

/** Returns an attempt after a reading that does not hold its refund. */
export function withMiss(attempt: Attempt, askedAt: Timestamp): Attempt {
  const { state, listsLate, misses, missedAt } = attempt
  // A reading counts only once the call has ended: an attempt that is `asking` even then has lost its caller.
  const ended = { ...attempt, state: state === 'asking' ? 'unknown' : state } as const
  const mayLag =
    listsLate && missedAt !== null && new Date(askedAt) < secondsAfter(new Date(missedAt), LAG_SECONDS)
  return mayLag ? ended : { ...ended, misses: misses + 1, missedAt: askedAt }
}

/** Counts the attempts that may have been carried out. */
export function attemptsMade(attempt: Attempt | null | undefined): number {
  if (!attempt) return 0
  return attempt.isUnsent ? attempt.number - 1 : attempt.number
}

/** Returns the provider's idempotency key of an attempt. The first one's is the refund's id alone. */
export const keyOf = (id: string, { number }: Pick<Attempt, 'number'>): string =>
  number === 1 ? id : `${id}-${number}`

/** Returns the keys of all attempts up to this one. */
export const keysOf = (id: string, { number }: Attempt): string[] =>
  Array.from({ length: number }, (_, index) => keyOf(id, { number: index + 1 }))

/** Whether somebody is calling the provider now. */
export const isBeingAsked = ({ state, at }: Attempt, now: Date): boolean =>
  state === 'asking' && now < secondsAfter(new Date(at), ASKING_SECONDS)

/** Whether the call of an attempt had ended by a time, so that its provider could know the refund from then on. */
export const wasMadeBefore = ({ at, calledAt }: Attempt, time: Timestamp): boolean =>
  (calledAt ?? timestamp(secondsAfter(new Date(at), ASKING_SECONDS))) <= time

/** Whether two versions are of one attempt. Each request that is sent is an attempt, even when it repeats a key. */
export const isSameAttempt = (one: Attempt | null, other: Attempt | null): boolean =>
  one !== null && one.number === other?.number && one.at === other.at

/**
 * Whether a person must resolve an attempt: two readings lacked its refund, no answer came for 24 hours, or its
 * provider cannot be read. An unreadable provider that answered the call gets 24 hours. Only for refunds that have not
 * ended.
 */
export function needsResolution(attempt: Attempt, now: Date): boolean {
  if (attempt.state === 'done' || attempt.state === 'failed' || isBeingAsked(attempt, now)) return false
  if (attempt.misses >= MISSES_LIMIT) return true
  const isLate = now >= secondsAfter(new Date(attempt.at), LONGEST_WAIT_SECONDS)
  if (attempt.state === 'answered') return isLate && !attempt.isReadable
  return isLate || !attempt.isReadable
}
