import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Journal, newAction } from '#lib/journal/journal'
import { Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { ListingId, type NewId, PaymentId, type UserId } from '#lib/kernel/id'
import type { Locale } from '#lib/kernel/locale'
import { Amount, Currency } from '#lib/kernel/money'
import type { Listing } from '#lib/listings/listing'
import type { ListingReader } from '#lib/listings/listing-store'
import { isPayer, payerNameOf } from '#lib/payments/payer'
import type { PaymentReader } from '#lib/payments/payment-store'
import { foldOf } from '#lib/payments/state/fold'
import { type Payment, Purpose } from '#lib/payments/state/payment'
import { receiptNumberOf } from '../receipt-number.ts'
import { ReceiptLink, receiptLink } from './receipt-link.ts'

/** A receipt: who paid whom, what for, and how much. */
export const Receipt = z
  .object({
    receiptNumber: z.string().meta({ example: 'R-01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    paymentId: PaymentId,
    paidAt: Timestamp,
    payer: z.object({
      name: z.string().nullable().meta({ description: 'Null once erased', example: 'Yao Brou' }),
    }),
    payee: z
      .object({
        displayName: z.string().meta({ example: 'Awa Koné' }),
        agency: z.string().nullable().meta({ example: 'Lagune Immobilier' }),
      })
      .nullable()
      .meta({ description: 'The agent of the listing, as they were; null without one, and once erased' }),
    listing: z
      .object({
        id: ListingId,
        title: z.string().nullable().meta({ example: 'Three-bedroom apartment in Cocody' }),
      })
      .nullable(),
    purpose: Purpose,
    amount: Amount.meta({ description: 'The sum of the charge that counts' }),
    currency: Currency,
    amountRefunded: z.int().meta({ example: 0 }),
    provider: z.string().meta({ example: 'stripe' }),
  })
  .meta({ id: 'Receipt' })
export type Receipt = z.infer<typeof Receipt>

/** A receipt with a link to its page. */
export const LinkedReceipt = Receipt.extend({ link: ReceiptLink }).meta({ id: 'LinkedReceipt' })

type Deps = {
  payments: PaymentReader
  listings: ListingReader
  accounts: AccountReader
}

/** The reader of a receipt; `link` is anyone with a link that a user or an administrator made. */
type Reader = { kind: 'user'; userId: UserId } | { kind: 'administrator' | 'link' }

/**
 * Returns the receipt of a payment that has succeeded, for its payer, the owner of its listing and administrators. Throws
 * `not_found` for anyone else, and without a success.
 */
export async function getReceipt(deps: Deps, reader: Reader, id: PaymentId): Promise<Receipt> {
  const payment = await deps.payments.get(id)
  const charge = payment && foldOf(payment).countingCharge
  if (!payment || !charge) throw new DomainError('not_found')
  const listing = payment.listingId === null ? undefined : await deps.listings.get(payment.listingId)
  const [payer, owner] = await Promise.all([
    deps.accounts.get(payment.userId),
    listing && deps.accounts.get(listing.agentId),
  ])
  refuseStrangers(reader, payment, payer, listing)
  const { purpose, provider } = payment
  return {
    receiptNumber: receiptNumberOf(id),
    paymentId: id,
    paidAt: charge.at,
    payer: { name: payerNameOf(payer, payment) },
    payee: payeeOf(payment, owner),
    // The title is that of the time when the payment was made; the present one if none was stored.
    listing: listing ? { id: listing.id, title: (payment.listing ?? listing).title } : null,
    purpose,
    amount: charge.money.amount,
    currency: charge.money.currency,
    amountRefunded: payment.amountRefunded,
    provider,
  }
}

/** Returns a receipt with a link to its page. The journal records an administrator's reading. Throws as `getReceipt`. */
export async function getLinkedReceipt(
  deps: LinkedDeps,
  reader: { kind: 'administrator'; subject: string } | { kind: 'user'; userId: UserId },
  id: PaymentId,
  locale: Locale,
): Promise<z.input<typeof LinkedReceipt>> {
  const receipt = await getReceipt(deps, reader, id)
  if (reader.kind === 'administrator') {
    const action = { by: reader.subject, subject: id, action: 'receipt.viewed', details: {} } as const
    await deps.journal.commit([deps.journal.record(newAction(deps.newId, action))])
  }
  return { ...receipt, link: await receiptLink(deps, id, locale) }
}

type LinkedDeps = Deps &
  Parameters<typeof receiptLink>[0] & {
    journal: Journal
    newId: NewId
  }

function refuseStrangers(
  reader: Reader,
  payment: Payment,
  payer: Account | undefined,
  listing: Listing | undefined,
): void {
  if (reader.kind !== 'user' || reader.userId === listing?.agentId) return
  if (reader.userId !== payer?.id || !isPayer(payer, payment)) throw new DomainError('not_found')
}

/** Returns the agent as they were when the payment was made, else as they are now; null once the account is gone. */
function payeeOf({ listing }: Payment, owner: Account | undefined): Receipt['payee'] {
  const agent = listing?.agent ?? owner?.agent
  return owner && agent ? { displayName: agent.displayName, agency: agent.agency } : null
}

/** Returns a reader of a receipt as the agent of its listing; null for the payer, who is the only other reader. */
export const agentUnlessPayer = ({ userId }: Pick<Payment, 'userId'>, reader: UserId): UserId | null =>
  userId === reader ? null : reader
