import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { Password } from '#lib/accounts/passwords/password'
import type { PasswordStore } from '#lib/accounts/passwords/password-store'
import { proveOwnPassword } from '#lib/accounts/passwords/prove-own-password'
import { rereadBySession, type SignedInCaller } from '#lib/accounts/reread-caller'
import type { FactorStore } from '#lib/accounts/second-factor/factor-store'
import type { Throttle } from '#lib/accounts/throttle/throttle'
import { announce } from '#lib/events/event'
import { beginAhead } from '#lib/kernel/begin-ahead'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { WRITES_MAX } from '#lib/kernel/write'
import type { KycStore } from '#lib/kyc/kyc-store'
import { refuseOpenPayments } from '#lib/payments/payers/open-payments'
import type { PaymentReader } from '#lib/payments/payment-store'
import { type CloseAccountsDeps, closeAgentAccounts } from '#lib/payouts/close-agent-accounts'
import type { Deletions } from './deletion.ts'

/** Asks for the password once more, because a deletion cannot be undone. */
export const DeletionRequest = z.object({ password: Password })

export type EndDeps = CloseAccountsDeps & {
  accounts: AccountStore
  payments: PaymentReader
  kycStore: KycStore
  deletions: Deletions
  factors: FactorStore
  passwords: PasswordStore
  now: Clock
  newId: NewId
}
type Deps = EndDeps & {
  accounts: AccountStore
  passwords: PasswordStore
  throttle: Throttle
}

/**
 * Ends the caller's account in one transaction: every token is refused, the address is free, and customers see neither
 * page nor listings from this moment. A job then erases the rest, see `eraseAccount`. A wrong password is
 * `invalid_credentials` and counts as a failed sign-in. Throws `payments_open` while money may still move, and
 * `balance_open` while money is owed to an agent. If a payment starts at the same moment, either the payment or the end
 * of the account is refused.
 */
export async function deleteAccount(
  deps: Deps,
  caller: SignedInCaller,
  { password }: z.infer<typeof DeletionRequest>,
  ipAddress: string,
): Promise<void> {
  const proven = caller.account
  let noOpenPayments: Promise<number> | undefined
  // The payments are read as soon as the password is right, while its attempt is still being settled.
  await proveOwnPassword(deps, caller, password, ipAddress, () => {
    noOpenPayments = beginAhead(refuseOpen(deps, proven))
  })
  await retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadBySession(deps, caller) : proven
    // A retry reads the payments again.
    await endAccount(deps, account, isRetry ? undefined : noOpenPayments)
  })
}

const refuseOpen = ({ payments, now }: EndDeps, account: Account): Promise<number> =>
  refuseOpenPayments(payments, account, now())

/** Ends an account as it was read. Throws `payments_open`, `balance_open`, and `WriteConflict` if the account has changed. */
export async function endAccount(
  deps: EndDeps,
  account: Account,
  noOpenPayments: Promise<number> = refuseOpen(deps, account),
): Promise<void> {
  const factors = beginAhead(deps.factors.get(account.id))
  const begun = await noOpenPayments
  // Balances are read after the payments: a payment that is settled in between opens a balance that only this read shows.
  const closing = account.agent ? await closeAgentAccounts(deps, account.id) : []
  const at = timestamp(deps.now())
  const writes = [
    deps.payments.requireBegun(account.id, begun),
    deps.passwords.remove(account.id),
    ...deps.factors.remove(await factors),
    ...closing,
    ...deps.kycStore.moveExpiry(account.id, account.kyc.expiresAt, null),
    deps.deletions.insert(account.id, at, account.email.toLowerCase()),
    announce({ id: deps.newId('event'), type: 'user.deleted', subject: account.id, at, data: {} }),
    ...deps.accounts.remove(account, at),
  ]
  // Of an account with all that it may have, the last sessions do not fit in. They end with it, and its erasure removes them.
  await deps.accounts.commit(writes.slice(0, WRITES_MAX))
}
