import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import type { Counters } from '#lib/accounts/throttle/counters'
import { DAY_SECONDS, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidFields } from '#lib/kernel/domain-error'
import type { PaymentId } from '#lib/kernel/id'
import type { OnceAs } from '#lib/kernel/once'
import type { Quota, Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import type { Write } from '#lib/kernel/write'
import type { Listing } from '#lib/listings/listing'
import { type ApplyDeps, applyWaiting } from '#lib/payments/callbacks/apply'
import { changeOf, changePayment } from '#lib/payments/change/change-payment'
import { closeEndedPage } from '#lib/payments/change/close-page'
import { OPEN_LIMIT, type PaymentStore, ReferenceTaken } from '#lib/payments/payment-store'
import { type PaymentView, viewOf } from '#lib/payments/payment-view'
import { openPayment, type Payment, revised, withCheckout, withOwnFact } from '#lib/payments/state/payment'
import { ownFactId, statusOf } from '#lib/payments/state/payment-status'
import type { PaymentProvider, RefusedPayment, StartedPayment } from '#lib/providers/provider'
import {
  type CheckDeps,
  type CommissionRates,
  checkPayment,
  type FindPayable,
  type Paid,
  paidListing,
  type ReturnOrigins,
  refuseForeignReturn,
  returnUrlOf,
  termsOf,
  UNKNOWN_PROVIDER,
} from './check-payment.ts'
import { orderOf, type PaymentDraft } from './payment-draft.ts'
import { countPrompt } from './prompts.ts'

type CreatePaymentDeps = ApplyDeps &
  CheckDeps & {
    findPayable: FindPayable
    accounts: AccountReader
    payments: PaymentStore
    phonePromptCounters: Counters
    quotas: Quotas
    returnOrigins: ReturnOrigins
    commissionRates: CommissionRates
  }

/** The most payments that a person may begin in a day. */
export const BEGUN_DAILY: Quota = { policy: 'payments', limit: 60, windowSeconds: DAY_SECONDS }

/**
 * Starts a payment with a provider. The payment is stored before the provider is called, and the provider's key is the
 * payment's id. After any failure in between, a request with the same `Idempotency-Key` carries the payment on, and the
 * money is asked for once. A payment that was cancelled or paid meanwhile is returned without calling the provider. Throws
 * `validation_failed` naming each field, and `listing_not_available`. Prompts to a telephone throw `email_not_verified`
 * and `too_many_requests`. A payment that the provider refuses is FAILED and throws `payment_refused`. After
 * `provider_unavailable` the payment stays PENDING. A payment whose payer may have been prompted on the phone is
 * returned as it is, without a second prompt.
 */
export async function createPayment(
  deps: CreatePaymentDeps,
  payer: Account,
  draft: PaymentDraft,
  claim: OnceAs<'payment', PaymentView>,
): Promise<PaymentView> {
  const begun = claim.resumed ? await deps.payments.get(claim.id) : undefined
  // The transaction may be retried; the prompt is counted once.
  let isCounted = false
  const countPromptOnce = async (phone: string) => {
    if (!isCounted) await countPrompt(deps.phonePromptCounters, { userId: payer.id, phone }, deps.now())
    isCounted = true
  }
  const { payment, listing } = begun
    ? { payment: begun, listing: await listingOf(deps, begun) }
    : await retryConflicts(async (isRetry) => {
        const caller = isRetry ? await rereadByRegistration(deps, payer) : payer
        return open(deps, caller, draft, claim.id, countPromptOnce)
      })
  const provider = await deps.providers.find(payment.provider)
  if (!provider) throw new DomainError('provider_unavailable')
  const started = isUnstarted(payment, deps.now()) ? await start(provider, payment, listing, payer) : null
  if (started && 'refused' in started) return refuse(deps, payment, started)
  // A start without an answer stores no receipt, so that a repetition of the request can return the payment.
  const receipt = started?.unanswered ? () => [] : claim.receipt
  const { saved, view } = await retryConflicts((isRetry) =>
    save(deps, payment.id, started, receipt, isRetry ? undefined : payment),
  )
  // The page of a payment that was cancelled since then is still open.
  if (started) await closeEndedPage(deps, provider, saved)
  await applyWaiting(deps, payment.provider, [payment.id, ...saved.references])
  if (started?.unanswered) throw started.unanswered
  return view
}

async function open(
  deps: CreatePaymentDeps,
  payer: Account,
  draft: PaymentDraft,
  id: PaymentId,
  countPromptOnce: (phone: string) => Promise<void>,
): Promise<{ payment: Payment; listing: Listing | undefined }> {
  refuseForeignReturn(deps.returnOrigins, draft.returnUrl)
  const provider = await deps.providers.find(draft.provider)
  if (provider?.asksOnPhone && payer.provenAt === null) throw new DomainError('email_not_verified')
  const paymentRequestId = draft.paymentRequestId ?? null
  // An unknown provider is reported before anything about the payment request.
  if (!provider && paymentRequestId !== null) throw invalidFields([UNKNOWN_PROVIDER])
  const payable = paymentRequestId === null ? undefined : await deps.findPayable(payer.id, paymentRequestId)
  const order = orderOf(draft, payable?.request)
  const phone = order.phone ?? (provider?.asksOnPhone ? payer.phone : null)
  const paid = payable ?? (await paidListing(deps, draft.listingId ?? null))
  const terms = termsOf({ ...order, phone }, paid, deps.commissionRates)
  checkPayment(provider, terms, paid, { payerId: payer.id, now: deps.now })
  const payment = openPayment(id, payer.id, terms, deps.now())
  // Throws if another customer's payment holds the listing: no prompt is counted then.
  const paying = payable?.writesWith(payment) ?? []
  if (provider.asksOnPhone && phone) {
    // The commit would refuse the payment, but only after its prompt was counted.
    if ((await deps.payments.countOpen(payer.id)) >= OPEN_LIMIT)
      throw new DomainError('open_payment_limit_reached')
    await countPromptOnce(phone)
  }
  await deps.payments.commit([
    ...deps.payments.insert(payment),
    deps.accounts.requireUnchanged(payer),
    ...requireAgent(deps, payer, paid),
    deps.quotas.count(BEGUN_DAILY, payer.id, deps.now()),
    ...paying,
  ])
  return { payment, listing: paid?.listing }
}

/** Requires that a listing's agent exists: the erasure cancels only the payments that it finds. The payer is required anyway. */
function requireAgent({ accounts }: CreatePaymentDeps, payer: Account, paid: Paid | undefined): Write[] {
  const agent = paid?.agent
  return !agent || agent.id === payer.id ? [] : [accounts.requireUnchanged(agent)]
}

const listingOf = async ({ listings }: CheckDeps, { listingId }: Payment): Promise<Listing | undefined> =>
  listingId === null ? undefined : listings.get(listingId)

function start(
  provider: PaymentProvider,
  payment: Payment,
  listing: Listing | undefined,
  { email, name }: Account,
): Promise<StartedPayment | RefusedPayment> {
  const country = listing?.location?.country ?? null
  return provider.start({ ...payment, returnUrl: returnUrlOf(payment), email, name, country })
}

/**
 * Whether the provider is still to be called: no request with the same `Idempotency-Key` has stored its answer, and the
 * payment was neither cancelled nor changed by the provider. A prompt without an answer has stored a checkout too, so that
 * the payer is not prompted again.
 */
const isUnstarted = (payment: Payment, now: Date): boolean =>
  payment.checkout === null && statusOf(payment, now) === 'PENDING'

/** Stores that the provider refuses a payment. The `Idempotency-Key` is then free: the next request makes a new payment. */
async function refuse(
  deps: CreatePaymentDeps,
  { id, provider: name }: Payment,
  { refused: { providerCode, message } }: RefusedPayment,
): Promise<never> {
  const code = providerCode ?? 'payment_refused'
  const at = timestamp(deps.now())
  const fact = { id: ownFactId('failed', id), kind: 'failed', at, final: true, code, message } as const
  const why = { actor: `provider:${name}`, reason: 'refused at the start' }
  // The provider opened no page, so there is none to close.
  await changePayment(deps, id, why, (payment) => ({ ...withOwnFact(payment, fact), isPageClosed: true }))
  throw new DomainError('payment_refused', { detail: message, extensions: { providerCode, paymentId: id } })
}

/**
 * Stores what was started, and the answer. A callback may have changed the payment during the call: after a conflict the
 * payment is read again, so that the callback's statement is kept.
 */
async function save(
  deps: CreatePaymentDeps,
  id: PaymentId,
  started: StartedPayment | null,
  receipt: OnceAs<'payment', PaymentView>['receipt'],
  seen: Payment | undefined,
): Promise<{ saved: Payment; view: PaymentView }> {
  // Without a start, another request may have stored its answer since then: the payment is read again.
  const payment = started && seen ? seen : await deps.payments.get(id)
  if (!payment) throw new DomainError('unavailable')
  const now = deps.now()
  const saved = started ? revised(payment, withCheckout(payment, started), now) : payment
  const view = viewOf(saved, now)
  const why = { actor: 'system', reason: 'checkout opened' }
  try {
    const { writes } = started ? await changeOf(deps, payment, saved, why) : { writes: [] }
    await deps.payments.commit([...writes, ...receipt(view)])
  } catch (error) {
    if (!(error instanceof ReferenceTaken) || !started) throw error
    // The reference stays the other payment's: this one is found by its own id and its other references.
    const references = started.references.filter((reference) => reference !== error.reference)
    return save(deps, id, { ...started, references }, receipt, undefined)
  }
  return { saved, view }
}
