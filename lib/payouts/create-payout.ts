import * as z from 'zod'
import { type Account, isEligibleToPublish } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Journal, newAction } from '#lib/journal/journal'
import { DAY_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { lastIdBefore, UserId } from '#lib/kernel/id'
import { AMOUNT_LIMIT, Amount, Currency, shownSum } from '#lib/kernel/money'
import type { Once } from '#lib/kernel/once'
import { retryConflicts } from '#lib/kernel/retry'
import type { AgentAccounts } from '#lib/ledger/agent-accounts'
import { availableOf } from '#lib/ledger/agent-accounts'
import { payoutTransactionKey } from '#lib/ledger/ledger.keys'
import { agentAccount } from '#lib/ledger/transaction'
import type { AmountLimit } from '#lib/providers/amount-limit'
import type { Providers } from '#lib/providers/registry'
import { announcementOf, type ChangePayoutDeps, payoutTransaction } from './change-payout.ts'
import { type Payout, PayoutMethod, type PayoutView } from './payout.ts'
import type { PayoutAccount } from './payout-account.ts'
import type { PayoutAccountReader } from './payout-account-store.ts'
import type { PayoutSettings } from './payout-settings.ts'
import type { PayoutStore } from './payout-store.ts'

/** An administrator's order of a payout. */
export const PayoutDraft = z.object({
  agentId: UserId,
  currency: Currency,
  amount: Amount.nullish().meta({ description: 'All that is available, where it is left out' }),
  method: PayoutMethod.nullish(),
})
export type PayoutDraft = z.infer<typeof PayoutDraft>

export type CreatePayoutDeps = Omit<ChangePayoutDeps, 'payouts' | 'agentAccounts'> & {
  agentAccounts: AgentAccounts
  payouts: PayoutStore
  payoutAccounts: PayoutAccountReader
  accounts: AccountReader
  providers: Pick<Providers, 'all'>
  journal: Journal
  payoutSettings: PayoutSettings
}

/**
 * Pays out to an agent: the sum leaves their account in the transaction that makes the payout, if that much is
 * available. Simultaneous payouts never take the same money. Throws `not_found`, `owner_not_verified`,
 * `payout_account_missing`, `payout_exceeds_balance`, and `validation_failed` for what no provider can pay. `once` stores
 * the payout as the answer to a repeated request.
 */
export const createPayout = (
  deps: CreatePayoutDeps,
  administrator: string,
  draft: PayoutDraft,
  once: Once<PayoutView> = { receipt: () => [] },
): Promise<Payout> =>
  retryConflicts(async () => {
    const [{ agent, account }, seen] = await Promise.all([
      payableAgent(deps, draft),
      deps.agentAccounts.get(draft.agentId, draft.currency),
    ])
    const payer = await payerOf(deps, draft, account)
    // Read after the balance, whose version the commit requires: what comes into the balance until then is held back, too.
    const held = await deps.agentAccounts.heldPayments(draft.agentId, draft.currency)
    const available = availableOf(seen, held, deps.now(), deps.payoutSettings.delayDays)
    const amount = amountOf(draft, shownSum(available), payer)
    const payout = await payoutOf(deps, administrator, { ...draft, amount }, account, payer)
    const owner = agentAccount(payout.agentId)
    const transaction = payoutTransaction(deps, payout, { owner, amount, reason: 'payout' })
    const entry = {
      id: transaction.id,
      type: 'payout' as const,
      amount: -amount,
      paymentId: null,
      payoutId: payout.id,
      listingId: null,
    }
    const action = { by: administrator, subject: payout.id, action: 'payout.created' as const }
    const details = { agentId: payout.agentId, amount, currency: payout.currency }
    await deps.payouts.commit([
      ...once.receipt(payout),
      ...deps.payouts.insert(payout),
      // A change of the account cancels the payouts that it finds: none for the former account may follow it.
      deps.payoutAccounts.requireUnchanged(account),
      // So does a ban or the loss of the verification.
      deps.accounts.requireUnchanged(agent),
      ...deps.agentAccounts.change(seen, { entries: [entry] }, payout.createdAt),
      ...deps.books.book([{ key: payoutTransactionKey(payout.id, transaction.id), transaction }]),
      ...announcementOf(deps, null, payout, 'created'),
      deps.journal.record(newAction(deps.newId, { ...action, details })),
    ])
    return payout
  })

/** Returns an agent who may be paid, and their payout account. */
async function payableAgent(
  deps: CreatePayoutDeps,
  { agentId, currency }: PayoutDraft,
): Promise<{ agent: Account; account: PayoutAccount }> {
  const [person, account] = await Promise.all([deps.accounts.get(agentId), deps.payoutAccounts.get(agentId)])
  if (!person?.agent) throw new DomainError('not_found')
  if (!isEligibleToPublish(person, deps.now())) throw new DomainError('owner_not_verified')
  if (account?.currency !== currency || account.usableFrom > timestamp(deps.now())) {
    throw new DomainError('payout_account_missing')
  }
  return { agent: person, account }
}

/** Who pays: a provider account, or an administrator by hand; and which sums can be paid. */
type Payer = { name: string | null; smallestUnit: number; limit: AmountLimit }

const ANY_AMOUNT: AmountLimit = { min: 1, max: AMOUNT_LIMIT }

async function payerOf(
  { providers }: CreatePayoutDeps,
  { currency, method }: PayoutDraft,
  account: PayoutAccount,
): Promise<Payer> {
  const byHand: Payer = { name: null, smallestUnit: 1, limit: ANY_AMOUNT }
  if (method === 'by_hand') return byHand
  const all = await providers.all()
  const paying = all.flatMap(({ name, provider: { payouts } }) =>
    payouts?.takes(account) ? [{ name, payouts }] : [],
  )
  // A provider that names the currency goes before one that takes any.
  const naming = paying.find(
    ({ payouts: { currencies } }) => currencies !== 'any' && currencies.includes(currency),
  )
  const chosen = naming ?? paying.find(({ payouts: { currencies } }) => currencies === 'any')
  if (chosen) {
    const { name, payouts } = chosen
    return {
      name,
      smallestUnit: payouts.smallestUnitOf(currency),
      limit: payouts.limits?.[currency] ?? ANY_AMOUNT,
    }
  }
  if (method === 'provider')
    throw invalidField('method', 'must be by_hand: no provider pays out to that account')
  return byHand
}

function amountOf({ amount }: PayoutDraft, available: number, { smallestUnit, limit }: Payer): number {
  if (amount != null && amount % smallestUnit !== 0) {
    throw invalidField('amount', `must be a multiple of ${smallestUnit} for the provider`)
  }
  if (amount != null && (amount < limit.min || amount > limit.max)) {
    throw invalidField('amount', `must be between ${limit.min} and ${limit.max} for the provider`)
  }
  const everything = Math.floor(Math.min(available, limit.max) / smallestUnit) * smallestUnit
  const sum = amount ?? everything
  if (sum < limit.min || sum > available) {
    throw new DomainError('payout_exceeds_balance', {
      detail: `${Math.max(available, 0)} is available`,
      extensions: { available },
    })
  }
  return sum
}

async function payoutOf(
  deps: CreatePayoutDeps,
  administrator: string,
  draft: PayoutDraft & { amount: number },
  account: PayoutAccount,
  payer: Payer,
): Promise<Payout> {
  const at = timestamp(deps.now())
  const needsApproval = await exceedsLimit(deps, draft)
  const isDueNow = !needsApproval && payer.name !== null
  return {
    id: deps.newId('payout'),
    agentId: draft.agentId,
    currency: draft.currency,
    amount: draft.amount,
    status: needsApproval ? 'AWAITING_APPROVAL' : 'PENDING',
    method: payer.name === null ? 'by_hand' : 'provider',
    provider: payer.name,
    reference: null,
    account: account.last4,
    country: account.country,
    sealed: account.sealed,
    createdBy: administrator,
    approvedBy: null,
    paidAt: null,
    failure: null,
    needsResolution: false,
    sentAt: null,
    misses: 0,
    dueAt: isDueNow ? at : null,
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
}

/** Whether the payouts of 24 hours, this one included, are above what one administrator may pay. */
async function exceedsLimit(
  { payouts, payoutSettings, now }: CreatePayoutDeps,
  { agentId, currency, amount }: PayoutDraft & { amount: number },
): Promise<boolean> {
  const limit = payoutSettings.approvalLimits[currency]
  if (limit === undefined) return false
  const since = lastIdBefore('payout', secondsAfter(now(), -DAY_SECONDS))
  const recent = await payouts.ofAgentSince(agentId, currency, since)
  const counted = recent.filter(({ status }) => status !== 'FAILED' && status !== 'CANCELLED')
  return counted.reduce((sum, payout) => sum + payout.amount, amount) > limit
}
