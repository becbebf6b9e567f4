import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, Timestamp, unixSeconds } from '#lib/kernel/clock'
import { SessionId, UserId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'

/** A session that is not refreshed for this long has ended. */
const SESSION_SECONDS = 30 * DAY_SECONDS
/** A session ends this long after its sign-in, however often it is refreshed. */
const SESSION_MAX_SECONDS = 90 * DAY_SECONDS
export const SESSIONS_MAX = 50

/** The time for which a used refresh token may be shown again, by a retry or a second tab. */
export const RETRY_WINDOW_SECONDS = 10
const RETRY_WINDOW_MILLISECONDS = RETRY_WINDOW_SECONDS * 1000

/** The number of refreshes within the retry window that a session remembers. */
const SPENT_MAX = 200

/** A signed-in device. Its refresh tokens are derived from its id and generation; only a hash is kept. */
export const Session = z.object({
  id: SessionId,
  userId: UserId,
  /** Counts refreshes from 1: only the newest generation's token is unspent. */
  generation: z.int(),
  tokenHash: z.string(),
  /** When the user last proved who they are, at the sign-in or since. */
  authTimeSeconds: z.int(),
  /** The methods of that proof (RFC 8176). */
  amr: z.array(z.string()),
  /** The account's `factors.revision` at that proof, which counts only while that is the present one. */
  factorsRevision: z.int(),
  /** When the user last stepped up; null until then. */
  steppedUpAt: Timestamp.nullable(),
  /** When this generation began. Its access tokens are dated from that moment. */
  rotatedAt: Timestamp,
  /** When the generations before this one were spent, oldest first; only those within the retry window. */
  spentAtMilliseconds: z.array(z.number()),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  ipAddress: z.string(),
  userAgent: z.string().nullable(),
  expiresAtSeconds: z.int(),
})
export type Session = z.infer<typeof Session>

/** See `useOf`. */
type TokenUse = 'current' | 'repeated' | 'stolen' | 'impossible'

/**
 * Returns the use of a genuine token. `current`: unspent. `repeated`: spent a moment ago. `stolen`: spent before that, so
 * somebody has copied it. `impossible`: of a generation that does not exist yet.
 */
export function useOf(session: Session, generation: number, now: Date): TokenUse {
  if (generation === session.generation) return 'current'
  if (generation > session.generation) return 'impossible'
  // A negative index: the last moment is that of the generation before the current one.
  const spentAt = session.spentAtMilliseconds.at(generation - session.generation)
  return spentAt !== undefined && now.getTime() - spentAt <= RETRY_WINDOW_MILLISECONDS ? 'repeated' : 'stolen'
}

/** Returns the next `spentAtMilliseconds` of a session whose current token is spent now. */
export const listSpentMoments = ({ spentAtMilliseconds }: Session, now: Date): number[] =>
  [
    ...spentAtMilliseconds.filter((at) => now.getTime() - at <= RETRY_WINDOW_MILLISECONDS),
    now.getTime(),
  ].slice(-SPENT_MAX)

/** Returns when a session ends that is used now and never again. */
export const sessionEndSeconds = (createdAt: Timestamp, now: Date): number =>
  endAfter(createdAt, now, SESSION_SECONDS)

/**
 * Returns until when the account lists a session that is used now: longer than the session itself lives without a
 * refresh, so that most refreshes need no write to the account.
 */
export const listedUntilSeconds = (createdAt: Timestamp, now: Date): number =>
  endAfter(createdAt, now, 2 * SESSION_SECONDS)

const endAfter = (createdAt: Timestamp, now: Date, seconds: number): number =>
  Math.min(
    unixSeconds(secondsAfter(now, seconds)),
    unixSeconds(secondsAfter(new Date(createdAt), SESSION_MAX_SECONDS)),
  )

/** Lists the sessions of an account that live at a moment, the newest sign-in first: ids sort by age. */
export const liveSessions = (sessions: Readonly<Record<string, number>>, now: Date): string[] =>
  Object.entries(sessions)
    .filter(([, end]) => end * 1000 > now.getTime())
    .map(([id]) => id)
    .sort()
    .reverse()

/** Lists the sessions that end when another begins: expired ones, and the oldest beyond fifty. */
export function displacedSessions(sessions: Readonly<Record<string, number>>, now: Date): string[] {
  const kept = liveSessions(sessions, now).slice(0, SESSIONS_MAX - 1)
  return Object.keys(sessions).filter((id) => !kept.includes(id))
}

/** Returns when the newest access token of a session was issued: at the last refresh, or a later step-up. */
export const issuedAt = ({
  rotatedAt,
  steppedUpAt,
}: Pick<Session, 'rotatedAt' | 'steppedUpAt'>): Timestamp =>
  steppedUpAt !== null && steppedUpAt > rotatedAt ? steppedUpAt : rotatedAt

/** Returns the hash of a token, which is stored in place of the token. */
export const tokenHash = (token: string): string => sha256(token, 'base64url')
