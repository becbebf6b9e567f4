import { isEligibleToPublish } from '#lib/accounts/account'
import type { AccountFinder } from '#lib/accounts/account-store'
import { rereadBySession, type SignedInCaller } from '#lib/accounts/reread-caller'
import { announce } from '#lib/events/event'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { type DataKeys, seal, unseal } from '#lib/kernel/sealed'
import { numberOf, type PayoutTarget } from '#lib/providers/payout-port'
import { cancelUnsent } from './cancel-unsent.ts'
import type { ChangePayoutDeps } from './change-payout.ts'
import {
  accountView,
  type PayoutAccount,
  type PayoutAccountInput,
  type PayoutAccountView,
  targetOf,
  unsealTarget,
} from './payout-account.ts'
import type { PayoutAccountReader, PayoutAccountStore } from './payout-account-store.ts'
import type { PayoutSettings } from './payout-settings.ts'

type Deps = ChangePayoutDeps & {
  payoutAccounts: PayoutAccountStore
  accounts: AccountFinder
  dataKeys: DataKeys
  payoutSettings: PayoutSettings
}

type FindDeps = { payoutAccounts: PayoutAccountReader; dataKeys: DataKeys }

/** Returns an agent's payout account. Throws `not_found` where there is none. */
export async function getPayoutAccount(deps: FindDeps, agentId: UserId): Promise<PayoutAccountView> {
  const account = await findPayoutAccount(deps, agentId)
  if (!account) throw new DomainError('not_found')
  return account
}

/** Returns an agent's payout account; undefined where there is none. */
export async function findPayoutAccount(
  deps: FindDeps,
  agentId: UserId,
): Promise<PayoutAccountView | undefined> {
  const account = await deps.payoutAccounts.get(agentId)
  return account && accountView(account, await unsealTarget(deps, account))
}

/**
 * Replaces an agent's payout account. No payout goes to the new account before `usableFrom`. Payouts that await approval
 * or were not sent to a provider are cancelled. A PENDING one by hand stays, since someone may be paying it right now. The
 * same account again stores nothing, but cancels payouts that an interrupted change left. Throws `owner_not_verified`.
 */
export async function putPayoutAccount(
  deps: Deps,
  caller: SignedInCaller,
  input: PayoutAccountInput,
): Promise<PayoutAccountView> {
  const { account, target } = await retryConflicts(async (isRetry) => {
    const agent = isRetry ? await rereadBySession(deps, caller) : caller.account
    if (!isEligibleToPublish(agent, deps.now())) throw new DomainError('owner_not_verified')
    return replaceAccount(deps, { ...caller, account: agent }, input)
  })
  await cancelUnsent(deps, caller.account.id, { includesByHand: false, exceptTo: account.sealed })
  return accountView(account, target)
}

async function replaceAccount(
  { payoutAccounts, accounts, dataKeys, payoutSettings, now, newId }: Deps,
  { account: agent, sessionId }: SignedInCaller,
  input: PayoutAccountInput,
): Promise<{ account: PayoutAccount; target: PayoutTarget }> {
  const agentId = agent.id
  const seen = await payoutAccounts.get(agentId)
  const target = targetOf(input)
  const content = JSON.stringify(target)
  // The contents are compared, since the same content is encrypted to another text each time.
  if (seen?.country === input.country && seen.currency === input.currency) {
    if ((await unseal(dataKeys, agentId, seen.sealed)) === content) return { account: seen, target }
  }
  const at = now()
  const next = {
    agentId,
    method: input.method,
    country: input.country,
    currency: input.currency,
    network: target.method === 'mobile_money' ? target.network : null,
    bankCode: target.method === 'bank' ? target.bankCode : null,
    last4: numberOf(target).slice(-4),
    sealed: await seal(dataKeys, agentId, content),
    usableFrom: timestamp(secondsAfter(at, payoutSettings.accountHoldHours * 3600)),
    updatedAt: timestamp(at),
    version: (seen?.version ?? 0) + 1,
  }
  const type = 'user.payout_account_changed' as const
  await payoutAccounts.commit([
    payoutAccounts.put(seen, next),
    // The end of an account removes only the payout account that it finds: none may be stored after it.
    accounts.requireUnchanged(agent),
    accounts.requireSession(sessionId),
    announce({ id: newId('event'), type, subject: agentId, at: next.updatedAt, data: {} }),
  ])
  return { account: next, target }
}
