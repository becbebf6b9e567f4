import { isDeepStrictEqual } from 'node:util'
import type { AccountStore } from '#lib/accounts/account-store'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import type { Clock } from '#lib/kernel/clock'
import { EnquiryId, kindOfId, ListingId, NotificationId, PaymentId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { ListingStore } from '#lib/listings/listing-store'
import type { Inbox } from '#lib/payments/callbacks/inbox'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { ReportStore } from '#lib/reports/report'
import type { OverviewStore } from './overview-store.ts'
import {
  type Part,
  partsOfEnquiry,
  partsOfListing,
  partsOfNotification,
  partsOfPayment,
  partsOfUser,
} from './share.ts'

export type RecountDeps = {
  accounts: Pick<AccountStore, 'get'>
  listings: Pick<ListingStore, 'get'>
  reports: Pick<ReportStore, 'get'>
  enquiries: Pick<EnquiryStore, 'get'>
  inbox: Pick<Inbox, 'get'>
  payments: Pick<PaymentStore, 'get'>
  overview: OverviewStore
  now: Clock
}

/**
 * Counts a record as it is now, and takes back its earlier count. A change that is delivered twice, late or in
 * another order therefore counts once. The subject is a user, a listing, an enquiry, a notification or a payment.
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

async function partsOf(deps: RecountDeps, subject: string): Promise<Part[]> {
  const { accounts, listings, reports, enquiries, inbox, payments, now } = deps
  switch (kindOfId(subject)) {
    case 'user':
      return partsOfUser(await accounts.get(UserId.parse(subject)), now())
    case 'listing': {
      const id = ListingId.parse(subject)
      return partsOfListing(...(await Promise.all([listings.get(id), reports.get(id)])))
    }
    case 'enquiry':
      return partsOfEnquiry(await enquiries.get(EnquiryId.parse(subject)))
    case 'notification':
      return partsOfNotification(await inbox.get(NotificationId.parse(subject)), now())
    case 'payment':
      return partsOfPayment(await payments.get(PaymentId.parse(subject)), now())
    default:
      throw new Error(`${subject} is nothing that the overview counts`)
  }
}
