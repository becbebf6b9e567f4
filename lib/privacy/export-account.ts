import * as z from 'zod'
import { type Account, AgentProfile, FormerAddress, UserView, userView } from '#lib/accounts/account'
import { listLiveAddresses } from '#lib/accounts/addresses/confirm-email-change'
import { ApiKeyView } from '#lib/accounts/api-keys/api-key'
import type { ApiKeyReader } from '#lib/accounts/api-keys/api-key-store'
import { listKeys } from '#lib/accounts/api-keys/manage-keys'
import { StatusDecision, type StatusReader } from '#lib/accounts/ban'
import { OwnListingLimits } from '#lib/accounts/listing-limits'
import type { FactorReader } from '#lib/accounts/second-factor/factor-store'
import { SecondFactorView, showFactors } from '#lib/accounts/second-factor/show-factors'
import { SessionView } from '#lib/accounts/sessions/list-sessions'
import type { SessionReader } from '#lib/accounts/sessions/session-store'
import type { EnquiryReader } from '#lib/enquiries/enquiry-store'
import { ExportedEnquiry, exportEnquiries } from '#lib/enquiries/export-enquiries'
import { Favourite, type FavouriteReader } from '#lib/favourites/favourite'
import { type Clock, DAY_SECONDS, Timestamp, timestamp } from '#lib/kernel/clock'
import type { ListingId, NewId, PayoutId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import type { Quota, Quotas } from '#lib/kernel/quota'
import type { DataKeys } from '#lib/kernel/sealed'
import { getKyc, KycView } from '#lib/kyc/get-kyc'
import { GivenLinks, type KycReader, RecordedDecision } from '#lib/kyc/kyc-store'
import { ShownFields } from '#lib/listings/fields'
import { Availability, Listing, PricePoint } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import { Media } from '#lib/listings/media/media'
import { ListingMoveView, movesForOwner } from '#lib/listings/views/get-history'
import { ExportedNotifications, exportNotifications } from '#lib/notifications/export-notifications'
import type { NotificationReader } from '#lib/notifications/notification'
import { PaymentRequest } from '#lib/payment-requests/payment-request'
import type { RequestReader } from '#lib/payment-requests/request-store'
import { requestsOf } from '#lib/payment-requests/requests-of'
import { isPayer } from '#lib/payments/payer'
import { paymentsOf } from '#lib/payments/payers/open-payments'
import type { PaymentReader } from '#lib/payments/payment-store'
import { PaymentView, viewOf } from '#lib/payments/payment-view'
import { Payment } from '#lib/payments/state/payment'
import { PayoutView } from '#lib/payouts/payout'
import { PayoutAccountView } from '#lib/payouts/payout-account'
import type { PayoutAccountReader } from '#lib/payouts/payout-account-store'
import type { PayoutReader } from '#lib/payouts/payout-store'
import { findPayoutAccount } from '#lib/payouts/put-payout-account'
import { Report, type ReportReader } from '#lib/reports/report'
import type { SavedSearchReader } from '#lib/saved-searches/saved-search'
import { SavedSearchView } from '#lib/saved-searches/saved-search-view'
import type { ExportFiles, ExportLinks } from './export-files.ts'

/** The largest document that is answered directly, in bytes. A Lambda function's answer holds 6 MB. */
export const INLINE_MAX_BYTES = 5_000_000

/**
 * Everything held about a person, as they may see it: without hashes, administrators' notes and ids, and the bytes of
 * files.
 */
export const AccountExport = z
  .object({
    exportedAt: Timestamp,
    user: UserView,
    agent: AgentProfile.nullable(),
    listingLimits: OwnListingLimits.nullable().meta({ example: null }),
    /** Addresses that can still be brought back. */
    formerAddresses: z.array(FormerAddress.pick({ email: true, changedAt: true })),
    secondFactor: SecondFactorView,
    apiKeys: z.array(ApiKeyView),
    sessions: z.array(SessionView.omit({ current: true })),
    kyc: KycView,
    kycDecisions: z.array(RecordedDecision.omit({ note: true, decidedBy: true, decisionCount: true })),
    /** When administrators were given links to the person's documents. Only the day: a time would tell when one is looking. */
    kycDocumentLinks: z.array(GivenLinks.pick({ documentIds: true }).extend({ day: z.iso.date() })),
    statusDecisions: z.array(StatusDecision.omit({ by: true })),
    listings: z.array(
      Listing.omit({ note: true, version: true }).extend({
        ...ShownFields.shape,
        availability: Availability,
        priceHistory: z.array(PricePoint),
        media: z.array(Media),
        history: z.array(ListingMoveView.omit({ note: true })),
      }),
    ),
    enquiries: z.array(ExportedEnquiry),
    reports: z.array(Report.omit({ by: true })),
    notifications: ExportedNotifications,
    favourites: z.array(Favourite.omit({ userId: true })),
    savedSearches: z.array(SavedSearchView),
    paymentRequests: z.array(
      PaymentRequest.omit({ version: true, underway: true, unpaid: true, reminders: true }),
    ),
    payments: z.array(PaymentView.extend(Payment.pick({ phone: true, returnUrl: true }).shape)),
    payoutAccount: PayoutAccountView.nullable(),
    payouts: z.array(
      PayoutView.omit({
        agentId: true,
        createdBy: true,
        approvedBy: true,
        needsResolution: true,
        failure: true,
      }),
    ),
  })
  .meta({ id: 'AccountExport' })

/** The number of exports that a person may make in a UTC day. */
const EXPORTS: Quota = { policy: 'exports', limit: 3, windowSeconds: DAY_SECONDS }

type Deps = {
  quotas: Quotas
  factors: FactorReader
  apiKeys: ApiKeyReader
  sessions: SessionReader
  statuses: StatusReader
  kycStore: KycReader
  files: Pick<ExportFiles, 'put'>
  links: ExportLinks
  listings: ListingStore
  enquiries: EnquiryReader
  reports: ReportReader
  notifications: NotificationReader
  favourites: FavouriteReader
  searches: SavedSearchReader
  requests: RequestReader
  payments: PaymentReader
  payouts: PayoutReader
  payoutAccounts: PayoutAccountReader
  dataKeys: DataKeys
  now: Clock
  newId: NewId
}

/**
 * Returns everything held about the caller as one document. A document that is too large to answer is stored privately,
 * with a link that works for five minutes. Records of the last second may be missing. Throws `too_many_requests` for the
 * fourth export of a day.
 */
export async function exportAccount(deps: Deps, account: Account) {
  // The `commit` of any store carries out the write of a quota.
  await deps.listings.commit([deps.quotas.count(EXPORTS, account.id, deps.now())])
  const document = AccountExport.parse(await collect(deps, account))
  const content = Buffer.from(JSON.stringify(document))
  if (content.length <= INLINE_MAX_BYTES) return { document, link: null }
  const exportId = deps.newId('export')
  await deps.files.put(account.id, exportId, content)
  return { document, link: await deps.links.linkTo(account.id, exportId) }
}

async function collect(deps: Deps, account: Account): Promise<z.input<typeof AccountExport>> {
  const { id } = account
  const now = deps.now()
  const [records, marketplace, money] = await Promise.all([
    recordsOf(deps, account),
    marketplaceOf(deps, id),
    moneyOf(deps, account, now),
  ])
  return {
    exportedAt: timestamp(now),
    user: userView(account, now),
    agent: account.agent,
    listingLimits: account.listingLimits,
    formerAddresses: listLiveAddresses(account, now),
    ...records,
    ...marketplace,
    ...money,
  }
}

/** Reads a person's ways to sign in, identity, decisions and notifications. */
async function recordsOf(deps: Deps, account: Account) {
  const { id } = account
  const [secondFactor, keys, sessions, kyc, kycDecisions, links, statusDecisions, notifications] =
    await Promise.all([
      showFactors(deps, account),
      listKeys(deps, account),
      deps.sessions.many(Object.keys(account.sessions)),
      getKyc(deps, account),
      deps.kycStore.listDecisions(id),
      deps.kycStore.listGivenLinks(id),
      deps.statuses.of(id),
      exportNotifications(deps, account),
    ])
  const kycDocumentLinks = links.map(({ documentIds, at }) => ({ documentIds, day: at.slice(0, 10) }))
  const apiKeys = keys.items
  return {
    secondFactor,
    apiKeys,
    sessions,
    kyc,
    kycDecisions,
    kycDocumentLinks,
    statusDecisions,
    notifications,
  }
}

/** Reads what a person offers, and what they look for. */
async function marketplaceOf(deps: Deps, id: UserId) {
  const [listings, enquiries, reports, favourites, savedSearches] = await Promise.all([
    listingsOf(deps, id),
    exportEnquiries(deps, id),
    deps.reports.byUser(id),
    deps.favourites.ofUser(id),
    deps.searches.ofUser(id),
  ])
  return { listings, enquiries, reports, favourites, savedSearches }
}

/** Reads what a person pays, and is paid. */
async function moneyOf(deps: Deps, account: Account, now: Date) {
  const { id } = account
  const [paymentRequests, payments, payoutAccount, payouts] = await Promise.all([
    requestsOf(deps, id),
    paymentsOf(deps.payments, id),
    findPayoutAccount(deps, id),
    allPages((after: PayoutId | undefined) => deps.payouts.byAgent(id, { limit: PAGE_SIZE, after })),
  ])
  return {
    paymentRequests,
    payments: payments
      .filter((payment) => isPayer(account, payment))
      .map((payment) => ({ ...payment, ...viewOf(payment, now) })),
    payoutAccount: payoutAccount ?? null,
    payouts,
  }
}

async function listingsOf({ listings }: Deps, userId: UserId) {
  const found = await allPages((after: ListingId | undefined) =>
    listings.byAgent(userId, { limit: PAGE_SIZE, after }),
  )
  return inParallel(found, async (listing) => ({
    ...listing,
    history: movesForOwner(listing, await listings.moves(listing.id)),
  }))
}
