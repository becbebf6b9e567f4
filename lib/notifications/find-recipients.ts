import type { AccountReader } from '#lib/accounts/account-store'
import { closeTaken } from '#lib/enquiries/close-taken'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import type { Timestamp } from '#lib/kernel/clock'
import { EnquiryId, ListingId, type UserId } from '#lib/kernel/id'
import type { ListingReader } from '#lib/listings/listing-store'
import type { RequestReader } from '#lib/payment-requests/request-store'
import { isPayer } from '#lib/payments/payer'
import { reportersOf } from '#lib/reports/list-reports'
import type { ReportReader } from '#lib/reports/report'
import type { RecipientFinder } from './recipients.ts'

type Deps = {
  accounts: AccountReader
  listings: ListingReader
  enquiries: EnquiryStore
  reports: ReportReader
  requests: RequestReader
}

/** Opens the finder of recipients that events do not name. */
export const openRecipientFinder = (deps: Deps): RecipientFinder => ({
  isModerated: async (listing, moveId) => {
    const move = await deps.listings.move(listing, moveId)
    return move !== undefined && move.by !== 'system'
  },
  // Closes the enquiries about the taken listing, unless another consumer of the move has. Returns their customers.
  closedByTaking: (listing, move) => closeTaken(deps, listing, move),
  isPayer: async (userId, payment) => {
    const account = await deps.accounts.get(userId)
    return account !== undefined && isPayer(account, { id: payment, userId })
  },
  isPaidBy: async (request, payment) => (await deps.requests.get(request))?.paymentId === payment,
  reporters: async (subject, at) => {
    const listingId = ListingId.safeParse(subject).data
    if (listingId) return reportersOf(deps.reports, listingId, at)
    const enquiryId = EnquiryId.safeParse(subject).data
    return enquiryId ? enquiryReporters(deps, enquiryId, at) : []
  },
})

/** Returns the sides of an enquiry whose reports were closed at this moment. */
async function enquiryReporters({ enquiries }: Deps, id: EnquiryId, at: Timestamp): Promise<UserId[]> {
  const enquiry = await enquiries.get(id)
  if (!enquiry) return []
  const { reports, customerId, agentId } = enquiry
  return [
    ...(reports.customer?.closedAt === at ? [customerId] : []),
    ...(reports.agent?.closedAt === at ? [agentId] : []),
  ]
}
