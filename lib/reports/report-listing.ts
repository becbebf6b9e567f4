import type * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import { networkMarks } from '#lib/accounts/throttle/network-address'
import { countReport } from '#lib/enquiries/limits'
import { announce } from '#lib/events/event'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { administratorId, type ListingId, type NewId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import type { HmacKeys } from '#lib/kernel/signed-token'
import type { ListingReader } from '#lib/listings/listing-store'
import { isPublic } from '#lib/listings/read-listing'
import { isOpen, type NewReport, type Reported, type Reporter, type ReportStore } from './report.ts'

type Deps = {
  reports: ReportStore
  listings: ListingReader
  accounts: AccountReader
  quotas: Quotas
  hmacKeys: HmacKeys
  /** Multiplies the limit of a person; the product is the limit of a network. */
  networkLimitFactor: number
  now: Clock
  newId: NewId
}

/** The caller: a user, an administrator, or a network alone. */
type Caller = { kind: 'user'; account: Account } | { kind: 'administrator'; subject: string } | null

/**
 * Reports a public listing. While a report of a signed-in person is open, another one of theirs changes nothing. Nor does
 * a second report of a network on the same UTC day. Throws `not_found` and `too_many_requests`, and `unauthenticated`
 * once the reporter's account has ended or was given back to its owner.
 */
export const reportListing = (
  deps: Deps,
  caller: Caller,
  { ipAddress }: { ipAddress: string },
  id: ListingId,
  { reason, text = null }: z.infer<typeof NewReport>,
): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const seenAccount = caller?.kind === 'user' ? caller.account : undefined
    const account = isRetry && seenAccount ? await rereadByRegistration(deps, seenAccount) : seenAccount
    const { reports, quotas, now, newId } = deps
    const listing = await deps.listings.get(id)
    const owner = listing && (await deps.accounts.get(listing.agentId))
    if (!listing || !isPublic(listing, owner, now)) throw new DomainError('not_found')
    const { reporter, counted } = await reporterOf(deps, caller, ipAddress)
    const [seen, lastAt] = await Promise.all([reports.get(id), reports.lastBy(id, reporter)])
    if (lastAt && (reporter.isNetwork || isOpen(seen, lastAt))) return

    const at = timeAfter(seen?.lastAt, now())
    const report = { listingId: id, agentId: listing.agentId, at, reason, text, by: reporter.userId }
    await reports.commit([
      ...reports.add(seen, withReport(seen, id, reason, at), report, { ...reporter, lastAt }),
      announce({
        id: newId('event'),
        type: 'listing.reported',
        subject: id,
        at,
        data: { agentId: listing.agentId, reason },
      }),
      // What closes the reports of an archived listing covers only those that it finds: none may be stored after it.
      deps.listings.requireStatus(listing),
      ...(account ? [deps.accounts.requireUnchanged(account)] : []),
      ...counted.map(({ mark, limitFactor }) => countReport(quotas, mark, now(), { limitFactor })),
    ])
  })

type Counted = { mark: string; limitFactor: number }

/** Returns the reporter, and whom the report counts for. Of a network only its mark is stored. */
async function reporterOf(
  deps: Deps,
  caller: Caller,
  ipAddress: string,
): Promise<{ reporter: Reporter; counted: Counted[] }> {
  if (caller) {
    const userId = caller.kind === 'user' ? caller.account.id : null
    const mark = caller.kind === 'user' ? caller.account.id : administratorId(caller.subject)
    return { reporter: { mark, userId, isNetwork: false }, counted: [{ mark, limitFactor: 1 }] }
  }
  const marks = await networkMarks(deps, 'report', ipAddress)
  const counted = marks.map(({ mark, limitFactor }) => ({
    mark,
    limitFactor: limitFactor * deps.networkLimitFactor,
  }))
  return { reporter: { mark: marks[0].mark, userId: null, isNetwork: true }, counted }
}

/** Returns the present time or, if the last report is not earlier, the millisecond after it: the time is a report's key. */
const timeAfter = (last: Timestamp | undefined, now: Date): Timestamp =>
  last === undefined || last < timestamp(now) ? timestamp(now) : timestamp(new Date(Date.parse(last) + 1))

const withReport = (seen: Reported | undefined, id: ListingId, reason: string, at: Timestamp): Reported => ({
  listingId: id,
  count: (seen?.count ?? 0) + 1,
  reasons: { ...seen?.reasons, [reason]: (seen?.reasons[reason] ?? 0) + 1 },
  firstAt: seen?.firstAt ?? at,
  lastAt: at,
  closings: seen?.closings ?? [],
  version: (seen?.version ?? 0) + 1,
})
