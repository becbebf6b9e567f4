import { type Clock, timestamp } from '#lib/kernel/clock'
import type { CallbackId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import type { Callback } from '../callbacks/callback.ts'
import { ATTENTION, type CallbackStore } from '../callbacks/callback-store.ts'
import type { PaymentStore } from '../payment-store.ts'
import { withoutWords } from '../state/fact.ts'
import type { Payment } from '../state/payment.ts'
import { paymentsOf, paymentsOnListingsOf } from './open-payments.ts'

type Deps = {
  payments: PaymentStore
  callbacks: CallbackStore
  now: Clock
}

/**
 * Erases from payments what names a person whose account has ended. Erases the telephone number, metadata, return
 * address, providers' texts and raw callbacks of the payer's own payments, and the agent's name in payments on their
 * listings. Later callbacks are stored without texts. Safe to repeat.
 */
export async function erasePayer(deps: Deps, userId: UserId): Promise<void> {
  const own = await paymentsOf(deps.payments, userId)
  await inParallel(own, async (payment) => {
    await change(deps, payment, withoutPayer)
    await eraseCallbacks(deps, payment)
  })
  await eraseMentions(deps, own)
  const onListings = await paymentsOnListingsOf(deps.payments, userId)
  await inParallel(onListings, (payment) => change(deps, payment, withoutPayee))
}

const withoutPayer = (payment: Payment): Payment =>
  payment.isPayerErased
    ? payment
    : {
        ...payment,
        phone: null,
        metadata: null,
        returnUrl: null,
        facts: payment.facts.map(withoutWords),
        isPayerErased: true,
      }

const withoutPayee = (payment: Payment): Payment =>
  payment.listing?.agent ? { ...payment, listing: { ...payment.listing, agent: null } } : payment

const change = ({ payments, now }: Deps, seen: Payment, edit: (payment: Payment) => Payment): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const payment = isRetry ? await payments.get(seen.id) : seen
    const edited = payment && edit(payment)
    if (!payment || !edited || edited === payment) return
    const next = { ...edited, version: payment.version + 1, updatedAt: timestamp(now()) }
    await payments.commit(payments.save(payment, next))
  })

/** Erases the callbacks of a payment, and those that wait for it: their provider has not confirmed them yet. */
async function eraseCallbacks({ callbacks }: Deps, payment: Payment): Promise<void> {
  const { id, provider, references } = payment
  const noLimit = Number.POSITIVE_INFINITY
  const known = await callbacks.ofPayment(id, noLimit)
  const waiting = await callbacks.waiting(provider, [id, ...references])
  const left = [...known, ...waiting].filter(({ isErased }) => !isErased)
  await inParallel(left, (callback) => callbacks.commit([callbacks.erase(callback)]))
}

/** Erases the callbacks without a payment that mention one of these. Of such callbacks, only unresolved ones have texts. */
async function eraseMentions({ callbacks }: Deps, payments: readonly Payment[]): Promise<void> {
  if (payments.length === 0) return
  const unresolved = await allPages((after: CallbackId | undefined) =>
    callbacks.list(ATTENTION, { limit: PAGE_SIZE, after }),
  )
  const left = unresolved.filter((callback) => !callback.isErased && mentionsOneOf(callback, payments))
  await inParallel(left, (callback) => callbacks.commit([callbacks.erase(callback)]))
}

/** Whether a callback names one of some payments. A reference may be a short number: it counts as a whole word of the same provider. */
function mentionsOneOf({ provider, rawBody, references }: Callback, payments: readonly Payment[]): boolean {
  const text = [Buffer.from(rawBody).toString('utf8'), ...references].join('\n')
  return payments.some((payment) => {
    const names = provider === payment.provider ? payment.references : []
    return text.includes(payment.id) || names.some((name) => hasWord(text, name))
  })
}

/** Whether a text has a word, with neither letter nor digit beside it. */
function hasWord(text: string, word: string): boolean {
  const parts = text.split(word)
  return parts.slice(1).some((after, index) => !/\w$/.test(parts[index] ?? '') && !/^\w/.test(after))
}
