import * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import { type HmacKeys, newestKey, readToken, signToken } from '#lib/kernel/signed-token'
import { WriteConflict } from '#lib/kernel/write'
import { MAIL_TOPICS, type MailTopic } from '#lib/mail/mail-content'
import type { NotificationStore } from './notification.ts'

export const UnsubscribeQuery = z.object({ token: z.string().min(1).max(500) })

const PURPOSE = 'unsubscribe'
const Topic = z.enum(MAIL_TOPICS)

/** Makes the token that switches one topic off for one person. It does not expire and has no other use. */
export const unsubscribeToken = async (keys: HmacKeys, userId: UserId, topic: MailTopic): Promise<string> =>
  signToken(await newestKey(keys), PURPOSE, `${userId}.${topic}`)

/** Reads the person and the topic of a token. Throws `invalid_token`. */
export async function readUnsubscribeToken(keys: HmacKeys, token: string) {
  const [user, kind] = readToken(await keys(), PURPOSE, token)?.split('.') ?? []
  const userId = UserId.safeParse(user).data
  const topic = Topic.safeParse(kind).data
  if (!userId || !topic) throw new DomainError('invalid_token')
  return { userId, topic }
}

/**
 * Switches the mails of one topic off; repeated, it changes nothing. Succeeds for a deleted account too. Throws
 * `invalid_token`.
 */
export async function unsubscribe(
  { notifications, hmacKeys }: { notifications: NotificationStore; hmacKeys: HmacKeys },
  { token }: z.infer<typeof UnsubscribeQuery>,
): Promise<void> {
  const { userId, topic } = await readUnsubscribeToken(hmacKeys, token)
  try {
    await notifications.commit([notifications.switchOff(userId, topic)])
  } catch (error) {
    // The account is deleted, and receives no mail.
    if (!(error instanceof WriteConflict)) throw error
  }
}
