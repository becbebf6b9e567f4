import { shardedKey } from '#lib/dynamo/lists'
import type { MailId } from '#lib/kernel/id'
import type { Key } from '#lib/kernel/write'

/** A mail that was asked for. */
export const mailRequestKey = (id: MailId): Key => ({ pk: `MAIL#${id}`, sk: 'MAIL' })

/** A request to send a mail once more. */
export const mailAgainKey = (id: MailId): Key => ({ pk: `MAIL#${id}`, sk: 'AGAIN' })

/** The list of mails that are to be tried again, except mailed links. */
export const mailDueList = (): string => 'MAIL-DUE'
export const mailDueKey = (dueAt: string, id: MailId): Key => shardedKey(mailDueList(), `${dueAt}#${id}`)

/** The list of mailed links that are to be tried again: a list of their own, because somebody waits for them. */
export const linkDueList = (): string => 'MAIL-DUE#LINKS'
export const linkDueKey = (dueAt: string, id: MailId): Key => shardedKey(linkDueList(), `${dueAt}#${id}`)

/** The list of mails that could not be sent. */
export const mailUnsentList = (): string => 'MAIL-UNSENT'
export const mailUnsentKey = (at: string, id: MailId): Key => shardedKey(mailUnsentList(), `${at}#${id}`)
