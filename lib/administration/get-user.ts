import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import { AdministeredUser, administeredUser } from '#lib/accounts/administered-user'
import { AgentProfileView, getAgentProfile } from '#lib/accounts/agent-profile'
import type { EnquiryReader } from '#lib/enquiries/enquiry-store'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, UserId } from '#lib/kernel/id'
import { PastDecision, viewPastDecision } from '#lib/kyc/get-review'
import type { KycReader } from '#lib/kyc/kyc-store'
import { ListingCounts } from '#lib/listings/listing-counts'
import type { ListingReader } from '#lib/listings/listing-store'
import type { PaymentReader } from '#lib/payments/payment-store'
import type { ReportReader } from '#lib/reports/report'

/** The number of decisions shown. */
const DECISIONS_MAX = 20

/** Reports and enquiries are counted up to this number. */
const COUNTED_MAX = 1_000

const count = z.int().min(0).meta({ example: 4 })

/** A user with everything that an administrator looks at before acting. */
export const UserInFull = AdministeredUser.extend({
  agent: AgentProfileView.nullable(),
  removesAt: Timestamp.nullable().meta({ description: 'When every second factor goes, as support asked' }),
  counts: z
    .object({
      listings: ListingCounts,
      payments: count.meta({ description: 'Payments that they started' }),
      reports: count.meta({ description: 'Reports of listings that they made, and those of their listings' }),
      enquiries: count.meta({ description: 'Enquiries that they sent and received' }),
    })
    .meta({ id: 'UserCounts' }),
  decisions: z.array(PastDecision).meta({ description: 'About their identity, newest first, the last 20' }),
}).meta({ id: 'UserInFull' })

type Deps = {
  accounts: AccountReader
  kycStore: KycReader
  listings: ListingReader
  payments: PaymentReader
  reports: ReportReader
  enquiries: EnquiryReader
  journal: Journal
  now: Clock
  newId: NewId
}

/**
 * Returns a user with the agent profile, the counts and the last 20 decisions about the identity. Listings and payments
 * come from stored counters; reports and enquiries are counted at each request, up to 1,000 each. The journal records
 * that the user was viewed. Throws `not_found`.
 */
export async function getUser(
  { accounts, kycStore, listings, payments: paymentStore, reports, enquiries, journal, now, newId }: Deps,
  administrator: string,
  id: UserId,
): Promise<z.input<typeof UserInFull>> {
  const account = await accounts.get(id)
  if (!account) throw new DomainError('not_found', { detail: 'There is no such user' })
  const action = { by: administrator, subject: id, action: 'user.viewed', details: {} } as const
  await journal.commit([journal.record(newAction(newId, action))])
  const [decisions, listingCounts, payments, reportCount, enquiryCount] = await Promise.all([
    kycStore.listDecisions(id),
    listings.counts(id),
    paymentStore.countBegun(id),
    reports.countOf(id, COUNTED_MAX),
    enquiries.countOf(id, COUNTED_MAX),
  ])
  return {
    ...administeredUser(account, now()),
    removesAt: account.factors.removal?.at ?? null,
    agent: account.agent && getAgentProfile(account, now),
    counts: {
      listings: listingCounts,
      payments,
      reports: reportCount,
      enquiries: enquiryCount,
    },
    decisions: decisions.slice(0, DECISIONS_MAX).map(viewPastDecision),
  }
}
