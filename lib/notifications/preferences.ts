import * as z from 'zod'
import type { UserId } from '#lib/kernel/id'
import { MailPreferences, type NotificationStore, preferencesOf } from './notification.ts'

/** The mail that a person wants. Notifications are always stored, and mail about identity and security is always sent. */
export const Preferences = z.object({ mail: MailPreferences }).meta({ id: 'NotificationPreferences' })
type Preferences = z.infer<typeof Preferences>

/** The preferences to replace; an absent one stays. */
export const PreferencesChange = z.object({ mail: MailPreferences.partial() })

type Deps = { notifications: Pick<NotificationStore, 'state'> }

export const getPreferences = async ({ notifications }: Deps, userId: UserId): Promise<Preferences> => ({
  mail: preferencesOf(await notifications.state(userId)),
})

export async function putPreferences(
  { notifications }: Deps & { notifications: Pick<NotificationStore, 'setPreferences' | 'commit'> },
  userId: UserId,
  { mail }: z.infer<typeof PreferencesChange>,
): Promise<Preferences> {
  await notifications.commit([notifications.setPreferences(userId, mail)])
  return getPreferences({ notifications }, userId)
}
