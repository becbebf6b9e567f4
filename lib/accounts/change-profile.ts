import * as z from 'zod'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { Locale } from '#lib/kernel/locale'
import { retryConflicts } from '#lib/kernel/retry'
import { type Account, PersonName, Phone, userView } from './account.ts'
import type { AccountStore } from './account-store.ts'
import { refuseFrozen } from './frozen-identity.ts'
import { rereadByRegistration } from './reread-caller.ts'

/** An absent field stays; `null` clears the telephone number. */
export const ProfileChange = z
  .object({
    name: PersonName.optional(),
    phone: Phone.nullish(),
    locale: Locale.optional(),
  })
  .meta({ example: { phone: '+2250700000000', locale: 'fr' } })

type Deps = { accounts: AccountStore; now: Clock }

/**
 * Changes the caller's name, telephone number and language. A change of a name that is under review or VERIFIED throws
 * `in_review` or `identity_verified`. A request that changes nothing stores nothing.
 */
export const changeProfile = (deps: Deps, caller: Account, input: z.infer<typeof ProfileChange>) =>
  retryConflicts(async (isRetry) => {
    const { accounts, now } = deps
    const account = isRetry ? await rereadByRegistration(deps, caller) : caller
    const { name, phone, locale } = account
    const next = {
      name: input.name ?? name,
      phone: input.phone === undefined ? phone : input.phone,
      locale: input.locale ?? locale,
    }
    if (next.name === name && next.phone === phone && next.locale === locale) return userView(account, now())
    refuseFrozen(account, next.name === name ? [] : ['name'], now())
    const changed: Account = { ...account, ...next, updatedAt: timestamp(now()) }
    await accounts.save(account, changed)
    return userView(changed, now())
  })
