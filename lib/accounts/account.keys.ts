import type { SessionId, UserId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A person's one record. */
export const accountKey = (id: UserId): Key => ({ pk: `USER#${id}`, sk: 'ACCOUNT' })

/** Whom an e-mail address belongs to: the condition on this key keeps addresses unique. */
export const emailKey = (address: string): Key => ({ pk: `EMAIL#${address}`, sk: 'EMAIL' })

/** A signed-in device. By its own id, since a refresh token names nothing else. */
export const sessionKey = (id: SessionId): Key => ({ pk: `SESSION#${id}`, sk: 'SESSION' })
