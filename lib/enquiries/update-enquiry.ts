import type { AccountReader } from '#lib/accounts/account-store'
import { timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { EnquiryId, NewId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Enquiry, EnquiryChange } from './enquiry.ts'
import { announceVisit } from './enquiry-events.ts'
import type { EnquiryStore } from './enquiry-store.ts'
import { type EnquiryView, readView, type ViewDeps } from './enquiry-view.ts'
import { getOwnEnquiry } from './own-enquiry.ts'
import { refuseOtherSideGone } from './send-message.ts'

type Deps = Omit<ViewDeps, 'accounts'> & {
  accounts: AccountReader
  enquiries: EnquiryStore
  newId: NewId
}

/**
 * Changes status or visit of an enquiry, as its agent. A change to the present value changes nothing. Throws
 * `not_found`, `forbidden` for the customer, and `other_side_gone` for a visit with a customer who is banned or erased.
 */
export const updateEnquiry = (
  deps: Deps,
  userId: UserId,
  id: EnquiryId,
  change: EnquiryChange,
): Promise<EnquiryView> =>
  retryConflicts(async () => {
    const { enquiry, side } = await getOwnEnquiry(deps, userId, id)
    if (side === 'customer') throw new DomainError('forbidden')
    if (change.visit) await refuseOtherSideGone(deps, enquiry, side)
    const next = applyChange(enquiry, change)
    if (next) await deps.enquiries.commit(writesOf(deps, enquiry, next))
    const { view } = await readView(deps, next ?? enquiry, side)
    return view
  })

/** Returns the enquiry with the agent's change; undefined if nothing would change. */
function applyChange(enquiry: Enquiry, change: EnquiryChange): Enquiry | undefined {
  const { visit } = change
  const status = change.status ?? enquiry.status
  // A change without `visit` keeps the visit; null cancels it.
  const given = visit && { at: visit.at, note: visit.note ?? null }
  const nextVisit = given === undefined ? enquiry.visit : given
  if (status === enquiry.status && isSame(nextVisit, enquiry.visit)) return undefined
  return { ...enquiry, status, visit: nextVisit, version: enquiry.version + 1 }
}

const isSame = (one: Enquiry['visit'], other: Enquiry['visit']): boolean =>
  one?.at === other?.at && one?.note === other?.note

const writesOf = ({ enquiries, newId, now }: Deps, seen: Enquiry, next: Enquiry) => [
  ...enquiries.replace(seen, next),
  ...(isSame(seen.visit, next.visit) ? [] : [announceVisit({ newId, enquiry: next, at: timestamp(now()) })]),
]
