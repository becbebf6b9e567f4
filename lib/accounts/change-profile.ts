import * as z from 'zod'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { type Account, PersonName, Phone, userView } from './account.ts'
import type { AccountStore } from './account-store.ts'
import { currentStatus } from './kyc-state.ts'

/** What is left out stays; a telephone number may be cleared, a name may not. */
export const ProfileChange = z.object({ name: PersonName.optional(), phone: Phone.nullish() })

type Deps = { accounts: AccountStore; now: Clock }

/**
 * Changes what the caller says of themselves. A VERIFIED user's name is what was verified: changing it throws
 * `identity_verified`. What is as it was already changes nothing.
 */
export const changeProfile = (deps: Deps, caller: Account, input: z.infer<typeof ProfileChange>) =>
  retryConflicts(async (isRetry) => {
    const { accounts, now } = deps
    const account = (isRetry && (await accounts.get(caller.id))) || caller
    const { name, phone } = account
    const next = {
      name: input.name ?? name,
      phone: input.phone === undefined ? phone : input.phone,
    }
    if (next.name === name && next.phone === phone) return userView(account, now())
    if (next.name !== name) refuseIdentityChange(account, now())
    const changed: Account = { ...account, ...next, updatedAt: timestamp(now()) }
    await accounts.save(account, changed, ['name', 'phone', 'kyc.decisions'])
    return userView(changed, now())
  })

function refuseIdentityChange({ kyc }: Account, now: Date): void {
  if (currentStatus(kyc, now) !== 'VERIFIED') return
  throw new DomainError('identity_verified', {
    detail: 'name was verified and cannot change',
    errors: [{ path: 'name', code: 'identity_verified', message: 'is part of the verified identity' }],
  })
}
