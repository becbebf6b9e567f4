import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import type { UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { MailPreferences } from '#lib/mail/mail-preferences'
import { type NotificationReader, type NotificationStore, preferencesOf } from './notification.ts'

/** The mail that a person wants. Notifications are always stored, and mail about identity and security is always sent. */
export const Preferences = z.object({ mail: MailPreferences }).meta({ id: 'NotificationPreferences' })
type Preferences = z.infer<typeof Preferences>

/** The preferences to replace; an absent one stays. */
export const PreferencesChange = z.object({ mail: MailPreferences.partial() })

type Deps = { notifications: NotificationReader }
type PutDeps = {
  accounts: AccountReader
  notifications: NotificationStore
}

export const getPreferences = async ({ notifications }: Deps, userId: UserId): Promise<Preferences> => ({
  mail: preferencesOf(await notifications.state(userId)),
})

export const putPreferences = (
  deps: PutDeps,
  caller: Account,
  { mail }: z.infer<typeof PreferencesChange>,
): Promise<Preferences> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByRegistration(deps, caller) : caller
    const { notifications } = deps
    await notifications.commit([
      notifications.setPreferences(caller.id, mail),
      deps.accounts.requireUnchanged(account),
    ])
    return getPreferences(deps, caller.id)
  })
