import * as z from 'zod'
import { Phone } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { DomainError, type FieldError, invalidFields } from '#lib/kernel/domain-error'
import { ListingId, type PaymentId, type UserId } from '#lib/kernel/id'
import { Amount, Currency } from '#lib/kernel/money'
import { webAddress } from '#lib/kernel/text'
import type { Write } from '#lib/kernel/write'
import type { ListingStore } from '#lib/listings/listing-store'
import { isPublic } from '#lib/listings/view-listing'
import { type SettleDeps, settleWaiting } from '#lib/payments/callbacks/settle-notification'
import { changeWrites } from '#lib/payments/change-payment'
import {
  Metadata,
  openPayment,
  type Payment,
  type PaymentRequest,
  Purpose,
  withCheckout,
} from '#lib/payments/payment'
import { statusOf } from '#lib/payments/payment-status'
import { type PaymentView, viewOf } from '#lib/payments/payment-view'
import type { FirstProvider } from '#lib/payments/provider/first-port'
import type { StartedPayment } from '#lib/payments/provider/provider'
import type { Providers } from '#lib/payments/provider/registry'
import { untilWon } from '#lib/payments/until-won'
import { withdraw } from './cancel-payment.ts'

/** What a payer sends to start a payment. */
export const PaymentDraft = z
  .object({
    provider: z.string().min(1).max(40).meta({ example: 'stripe' }),
    amount: Amount,
    currency: Currency,
    purpose: Purpose,
    listingId: ListingId.nullable().default(null),
    phone: Phone.nullable().default(null),
    returnUrl: webAddress({ max: 2000 }).nullable().default(null),
    metadata: Metadata.nullable().default(null),
  })
  .meta({ id: 'PaymentDraft' })

export type CreatePaymentDeps = SettleDeps & {
  providers: Providers
  listings: Pick<ListingStore, 'get'>
  accounts: Pick<AccountStore, 'get' | 'countPayment'>
}

/** Who pays. */
export type Payer = { id: UserId; email: string; name: string | null; phone: string | null }

/** The id set aside for the payment, and the writes that make the answer the one every repetition gets. */
export type PaymentClaim = { id: PaymentId; resumed: boolean; receipt: (payment: PaymentView) => Write[] }

/**
 * Starts a payment with a provider. It is written before the provider is called, and called under its own id,
 * so that whatever fails in between, the same claim carries it on and the money is asked for once. What was given
 * up, or has come, before it is carried on is not asked for any more: the answer then says how it stands.
 * Throws `validation_failed` naming each field, and `provider_unavailable`: the payment then stays PENDING. One whose
 * payer may have been asked all the same is answered as it stands when it is carried on, and asks nobody again.
 */
export async function createPayment(
  deps: CreatePaymentDeps,
  payer: Payer,
  request: PaymentRequest,
  claim: PaymentClaim,
): Promise<PaymentView> {
  const begun = claim.resumed ? await deps.payments.get(claim.id) : undefined
  const payment = begun ?? (await open(deps, payer, request, claim.id))
  const provider = await deps.providers.find(payment.provider)
  if (!provider) throw new DomainError('provider_unavailable')
  const started = isUnstarted(payment, deps.now())
    ? await provider.start({ ...payment, email: payer.email, name: payer.name, country: null })
    : null
  const receipt = started?.unanswered ? () => [] : claim.receipt
  const { saved, view } = await untilWon(() => save(deps, payment.id, started, receipt))
  // Whoever gave it up meanwhile could not tell the provider of a checkout that nobody had heard of yet.
  if (started && view.status === 'CANCELLED') await withdraw(provider, saved)
  await settleWaiting(deps, payment.provider, [payment.id, ...saved.references])
  if (started?.unanswered) throw started.unanswered
  return view
}

async function open(
  deps: CreatePaymentDeps,
  payer: Payer,
  request: PaymentRequest,
  id: PaymentId,
): Promise<Payment> {
  const provider = await deps.providers.find(request.provider)
  const phone = request.phone ?? (provider?.asksOnPhone ? payer.phone : null)
  const errors = await faultsOf(deps, provider, { ...request, phone })
  if (errors.length > 0) throw invalidFields(errors)
  const payment = openPayment(id, payer.id, { ...request, phone }, deps.now())
  await deps.payments.commit([...deps.payments.insert(payment), deps.accounts.countPayment(payer.id)])
  return payment
}

/** What only the rest of the service can say of a request. */
async function faultsOf(
  deps: CreatePaymentDeps,
  provider: FirstProvider | undefined,
  request: PaymentRequest,
): Promise<FieldError[]> {
  const listed = request.listingId === null || (await isPublished(deps, request.listingId))
  return [
    ...(provider
      ? [...moneyFaults(provider, request), ...phoneFaults(provider, request)]
      : [wrong('provider', 'must be a provider that is switched on')]),
    ...(listed ? [] : [wrong('listingId', 'must be the id of a published listing')]),
  ]
}

async function isPublished({ listings, accounts, now }: CreatePaymentDeps, id: ListingId): Promise<boolean> {
  const listing = await listings.get(id)
  return listing !== undefined && isPublic(listing, await accounts.get(listing.agentId), now)
}

function moneyFaults(provider: FirstProvider, request: PaymentRequest): FieldError[] {
  const { currencies, refuses } = provider
  if (currencies !== 'any' && !currencies.includes(request.currency)) {
    return [wrong('currency', `must be one that ${request.provider} takes: ${currencies.join(', ')}`)]
  }
  const fault = refuses?.(request)
  return fault === undefined ? [] : [wrong('amount', fault)]
}

const phoneFaults = ({ asksOnPhone }: FirstProvider, { provider, phone }: PaymentRequest): FieldError[] =>
  asksOnPhone && phone === null
    ? [wrong('phone', `must be given, here or in the profile: ${provider} asks the payer on it`)]
    : []

const wrong = (path: string, message: string): FieldError => ({ path, code: 'invalid_value', message })

/**
 * Whether the provider is still to be asked: no other request with the same claim has saved its answer, and the
 * payment was not given up, nor heard of from the provider, since an earlier try failed.
 */
const isUnstarted = (payment: Payment, now: Date): boolean =>
  payment.checkout === null && statusOf(payment, now) === 'PENDING'

/** Keeps what was started, and the answer. A callback may have come while the provider was asked: what it said is kept. */
async function save(
  deps: CreatePaymentDeps,
  id: PaymentId,
  started: StartedPayment | null,
  receipt: PaymentClaim['receipt'],
): Promise<{ saved: Payment; view: PaymentView }> {
  const payment = await deps.payments.get(id)
  if (!payment) throw new DomainError('unavailable')
  const now = deps.now()
  const saved = started ? withCheckout(payment, started, now) : payment
  const view = viewOf(saved, now)
  const why = { actor: 'system', reason: 'checkout opened' }
  const opened = started ? changeWrites(deps, payment, saved, why) : []
  await deps.payments.commit([...opened, ...receipt(view)])
  return { saved, view }
}
