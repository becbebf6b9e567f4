import * as z from 'zod'
import type { UserId } from '#lib/kernel/id'
import { type Inbox, MailPreferences, preferencesOf } from './notice.ts'

/** What is mailed to a person. Notifications are always stored, and mail about identity and security always sent. */
export const Preferences = z.object({ mail: MailPreferences }).meta({ id: 'NotificationPreferences' })
type Preferences = z.infer<typeof Preferences>

type Deps = { inbox: Inbox }

/** A person's preferences. */
export const getPreferences = async ({ inbox }: Deps, userId: UserId): Promise<Preferences> => ({
  mail: preferencesOf(await inbox.state(userId)),
})

/** Replaces a person's preferences. */
export async function putPreferences(
  { inbox }: Deps,
  userId: UserId,
  { mail }: Preferences,
): Promise<Preferences> {
  await inbox.commit([inbox.setPreferences(userId, mail)])
  return { mail }
}
