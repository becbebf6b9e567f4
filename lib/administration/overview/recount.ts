import { isDeepStrictEqual } from 'node:util'
import type { AccountReader } from '#lib/accounts/account-store'
import type { EnquiryReader } from '#lib/enquiries/enquiry-store'
import type { Clock } from '#lib/kernel/clock'
import { CallbackId, EnquiryId, kindOfId, ListingId, PaymentId, PayoutId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { ListingReader } from '#lib/listings/listing-store'
import type { CallbackReader } from '#lib/payments/callbacks/callback-store'
import type { PaymentReader } from '#lib/payments/payment-store'
import type { PayoutReader } from '#lib/payouts/payout-store'
import type { ReportReader } from '#lib/reports/report'
import type { OverviewStore } from './overview-store.ts'
import {
  type OverviewPart,
  partsOfCallback,
  partsOfEnquiry,
  partsOfListing,
  partsOfPayment,
  partsOfPayout,
  partsOfUser,
} from './parts.ts'

export type RecountDeps = {
  accounts: AccountReader
  listings: ListingReader
  reports: ReportReader
  enquiries: EnquiryReader
  callbacks: CallbackReader
  payments: PaymentReader
  payouts: PayoutReader
  overview: OverviewStore
  now: Clock
}

/**
 * Counts a record as it is now, and takes back its earlier count. A change that is delivered twice, late or in
 * another order therefore counts once. The subject is a user, a listing, an enquiry, a callback, a payment or a payout.
 * Returns whether the count changed.
 */
export const recount = (deps: RecountDeps, subject: string): Promise<boolean> =>
  retryConflicts(async () => {
    const { overview, now } = deps
    // Read before the record: if another worker counts a newer record meanwhile, this write fails.
    const seen = await overview.share(subject)
    const parts = await partsOf(deps, subject)
    if (isDeepStrictEqual(parts, seen?.parts ?? [])) return false
    await overview.commit(overview.recount(subject, seen, parts, now()))
    return true
  })

async function partsOf(deps: RecountDeps, subject: string): Promise<OverviewPart[]> {
  const { accounts, listings, reports, enquiries, callbacks, payments, payouts, now } = deps
  switch (kindOfId(subject)) {
    case 'user':
      return partsOfUser(await accounts.get(UserId.parse(subject)), now())
    case 'listing': {
      const id = ListingId.parse(subject)
      const [listing, reported] = await Promise.all([listings.get(id), reports.get(id)])
      return partsOfListing(listing, reported)
    }
    case 'enquiry':
      return partsOfEnquiry(await enquiries.get(EnquiryId.parse(subject)))
    case 'callback':
      return partsOfCallback(await callbacks.get(CallbackId.parse(subject)), now())
    case 'payment':
      return partsOfPayment(await payments.get(PaymentId.parse(subject)), now())
    case 'payout':
      return partsOfPayout(await payouts.get(PayoutId.parse(subject)))
    default:
      throw new Error(`${subject} is nothing that the overview counts`)
  }
}
