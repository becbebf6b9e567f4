import { announce } from '#lib/events/event'
import {
  type Clock,
  DAY_SECONDS,
  secondsAfter,
  type Timestamp,
  timestamp,
  withDaysBefore,
} from '#lib/kernel/clock'
import type { EventId, NewId, UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { type Write, WriteConflict } from '#lib/kernel/write'
import type { Expiry, KycStore } from './kyc-store.ts'

/** The time before the end of a verification at which its person is notified. */
const NOTICE_SECONDS = 14 * DAY_SECONDS
/** The number of days before the day 14 days ahead that the job reads, too, for ends that earlier runs missed. */
const DAYS_BACK = 7

/** Whether the end of a verification is near enough to be announced. */
export const isExpiryNear = (expiresAt: Timestamp, now: Timestamp): boolean =>
  Date.parse(expiresAt) - Date.parse(now) <= NOTICE_SECONDS * 1000

/** Announces that a verification expires soon. */
export const expiringEvent = (id: EventId, subject: UserId, expiresAt: Timestamp, at: Timestamp): Write =>
  announce({ id, type: 'kyc.expiring', subject, at, data: { expiresAt } })

type Deps = {
  kycStore: KycStore
  now: Clock
  newId: NewId
}

/**
 * Announces verifications that end 7 to 14 days from now, each end once, however often the job runs. A nearer end was
 * announced by an earlier run, or with its decision.
 */
export async function announceExpiring(deps: Deps): Promise<number> {
  const near = secondsAfter(deps.now(), NOTICE_SECONDS)
  const until = timestamp(near)
  const days = withDaysBefore(near, DAYS_BACK)
  const due = (await inParallel(days, (day) => deps.kycStore.listEndingOn(day, until))).flat()
  const open = due.filter(({ isAnnounced }) => !isAnnounced)
  const announced = await inParallel(open, (expiry) => announceOne(deps, expiry))
  return announced.filter(Boolean).length
}

async function announceOne({ kycStore, now, newId }: Deps, expiry: Expiry): Promise<boolean> {
  const event = expiringEvent(newId('event'), expiry.userId, expiry.expiresAt, timestamp(now()))
  try {
    await kycStore.commit([...kycStore.announceExpiry(expiry), event])
    return true
  } catch (error) {
    // The identity was decided again, or another run announced the end.
    if (error instanceof WriteConflict) return false
    throw error
  }
}
