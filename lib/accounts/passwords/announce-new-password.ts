import { announce } from '#lib/events/event'
import type { Timestamp } from '#lib/kernel/clock'
import type { NewId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'

/** The event that an account has a new password: by its owner's change, or by a mailed link, which ends API keys. */
export const announceNewPassword = (
  newId: NewId,
  subject: UserId,
  data: { by: 'change' | 'reset'; apiKeysEnded: number },
  at: Timestamp,
): Write => announce({ id: newId('event'), type: 'user.password_changed', subject, at, data })
