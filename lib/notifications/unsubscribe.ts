import * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import { type HmacKeys, newestKey, readToken, signToken } from '#lib/kernel/signed-token'
import { WriteConflict } from '#lib/kernel/write'
import type { MailTopic } from '#lib/mail/letter'
import type { Inbox } from './notice.ts'

/** The token of a mail's opt-out, as a client shows it. */
export const UnsubscribeQuery = z.object({ token: z.string().min(1).max(500) })

const PURPOSE = 'unsubscribe'
const Topic = z.enum(['listings', 'enquiries', 'payments'])

/** The token that switches the mails of one topic off for one person. It does not expire and allows nothing else. */
export const unsubscribeToken = async (keys: HmacKeys, userId: UserId, topic: MailTopic): Promise<string> =>
  signToken(await newestKey(keys), PURPOSE, `${userId}.${topic}`)

/** The person and the topic of a token. Throws `invalid_token`. */
export async function readUnsubscribeToken(keys: HmacKeys, token: string) {
  const [user, kind] = readToken(await keys(), PURPOSE, token)?.split('.') ?? []
  const userId = UserId.safeParse(user).data
  const topic = Topic.safeParse(kind).data
  if (!userId || !topic) throw new DomainError('invalid_token')
  return { userId, topic }
}

/**
 * Switches the mails of one topic off, by the token of such a mail; done again, it changes nothing. Throws
 * `invalid_token`. Says nothing of whether the account is still there.
 */
export async function unsubscribe(
  { inbox, hmacKeys }: { inbox: Inbox; hmacKeys: HmacKeys },
  { token }: z.infer<typeof UnsubscribeQuery>,
): Promise<void> {
  const { userId, topic } = await readUnsubscribeToken(hmacKeys, token)
  try {
    await inbox.commit([inbox.setPreferences(userId, { [topic]: false })])
  } catch (error) {
    // The account has ended, and is mailed nothing.
    if (!(error instanceof WriteConflict)) throw error
  }
}
