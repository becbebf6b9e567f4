import { announce } from '#lib/events/event'
import type { Timestamp } from '#lib/kernel/clock'
import type { NewId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'

/** Announces an account's new password. A reset by a mailed link also ends its API keys; a change by its owner does not. */
export const announceNewPassword = (
  newId: NewId,
  subject: UserId,
  data: { by: 'change' | 'reset'; apiKeysEnded: number },
  at: Timestamp,
): Write => announce({ id: newId('event'), type: 'user.password_changed', subject, at, data })
