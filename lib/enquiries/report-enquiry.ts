import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { EnquiryId, NewId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { type Enquiry, EnquiryReportReason } from './enquiry.ts'
import { announceReport } from './enquiry-events.ts'
import type { EnquiryStore } from './enquiry-store.ts'
import { countReport } from './limits.ts'
import { getOwnEnquiry } from './own-enquiry.ts'

/** A report by one side about the other. */
export const NewEnquiryReport = z.object({ reason: EnquiryReportReason, text: text({ max: 1000 }).nullish() })

type Deps = {
  enquiries: EnquiryStore
  accounts: AccountReader
  quotas: Quotas
  now: Clock
  newId: NewId
}

/**
 * Reports the other side of an enquiry: administrators may read the enquiry from then on. While a report of the same side
 * is open, a second one changes nothing. Throws `not_found` and `too_many_requests`, and `unauthenticated` once the
 * caller's account has ended.
 */
export const reportEnquiry = (
  deps: Deps,
  caller: Account,
  id: EnquiryId,
  { reason, text: words = null }: z.infer<typeof NewEnquiryReport>,
): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadByRegistration(deps, caller) : caller
    const { enquiries, quotas, newId, now } = deps
    const { enquiry, side } = await getOwnEnquiry(deps, caller.id, id)
    if (enquiry.reports[side]?.closedAt === null) return
    const at = timestamp(now())
    const report = { reason, text: words, at, closedAt: null, outcome: null }
    const next: Enquiry = {
      ...enquiry,
      reports: { ...enquiry.reports, [side]: report },
      version: enquiry.version + 1,
    }
    await enquiries.commit([
      ...enquiries.replace(enquiry, next),
      announceReport({ newId, enquiry: next, at }, side, reason),
      deps.accounts.requireUnchanged(account),
      countReport(quotas, caller.id, now()),
    ])
  })
