import * as z from 'zod'
import type { AccountStore } from '#lib/accounts/account-store'
import { AdministeredUser, administeredUser } from '#lib/accounts/administered-user'
import { AgentProfileView, getAgentProfile } from '#lib/accounts/agent-profile'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { PastDecision, pastDecision } from '#lib/kyc/get-review'
import type { KycRecords } from '#lib/kyc/kyc-records'
import { ListingCounts } from '#lib/listings/listing-counts'
import type { ListingStore } from '#lib/listings/listing-store'
import type { ReportStore } from '#lib/reports/report'

/** How many decisions are shown. */
const DECISIONS_MAX = 20

/** How far reports and enquiries are counted, on each side. */
const COUNTED_MAX = 1_000

const count = z.int().min(0)

/** A user with everything that an administrator looks at before acting. */
export const UserInFull = AdministeredUser.extend({
  agent: AgentProfileView.nullable(),
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
  accounts: Pick<AccountStore, 'get'>
  records: Pick<KycRecords, 'decisions'>
  listings: Pick<ListingStore, 'counts'>
  reports: Pick<ReportStore, 'countOf'>
  enquiries: Pick<EnquiryStore, 'countOf'>
  now: Clock
}

/**
 * A user with the agent profile, the counts and the last 20 decisions about the identity. Counters hold the listings
 * and payments. Reports and enquiries are counted at each request, up to 1,000 on each side. Throws `not_found`.
 */
export async function getUser(
  { accounts, records, listings, reports, enquiries, now }: Deps,
  id: UserId,
): Promise<z.input<typeof UserInFull>> {
  const account = await accounts.get(id)
  if (!account) throw new DomainError('not_found', { detail: 'There is no such user' })
  const [decisions, listingCounts, reportCount, enquiryCount] = await Promise.all([
    records.decisions(id),
    listings.counts(id),
    reports.countOf(id, COUNTED_MAX),
    enquiries.countOf(id, COUNTED_MAX),
  ])
  return {
    ...administeredUser(account, now()),
    agent: account.agent && getAgentProfile(account, now),
    counts: {
      listings: listingCounts,
      payments: account.payments,
      reports: reportCount,
      enquiries: enquiryCount,
    },
    decisions: decisions.slice(0, DECISIONS_MAX).map(pastDecision),
  }
}
