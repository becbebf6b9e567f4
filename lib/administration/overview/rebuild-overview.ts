import type { UserLists } from '#lib/accounts/user-lists'
import type { EnquiryReader } from '#lib/enquiries/enquiry-store'
import { CallbackId, PaymentId, PayoutId, timeOfId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Progress } from '#lib/kernel/progress'
import type { ListingReader } from '#lib/listings/listing-store'
import { listsOf } from '#lib/listings/review/queue-place'
import { type CallbackReader, ATTENTION as WAITING_CALLBACKS } from '#lib/payments/callbacks/callback-store'
import type { PaymentReader } from '#lib/payments/payment-store'
import { type PayoutReader, ATTENTION as WAITING_PAYOUTS } from '#lib/payouts/payout-store'
import type { ReportReader } from '#lib/reports/report'
import { idsOf, WALKED_PAGE, type Walked, type WalkedList, walkLists } from '../walk-lists.ts'
import type { OverviewReader } from './overview-store.ts'
import { Queue, shownDays } from './parts.ts'
import { type RecountDeps, recount } from './recount.ts'

type Deps = RecountDeps & {
  overview: OverviewReader
  userLists: UserLists
  listings: ListingReader
  reports: ReportReader
  enquiries: EnquiryReader
  callbacks: CallbackReader
  payments: PaymentReader
  payouts: PayoutReader
  progress: Progress
}

/**
 * Counts again all that the overview may have wrong: entries of its queues may be stale, and records that wait may lack an
 * entry. Also counts the people who registered on the days shown, and all payments. Needed for records that are older than
 * the counters. In the result, `changed` is the number of wrong counts. Run it until `isDone`. Safe to repeat, and while
 * records change.
 */
export const rebuildOverview = (deps: Deps): Promise<Walked> =>
  walkLists(deps, 'rebuild-overview', [...listsToCount(deps), allPayments(deps)], (subject) =>
    recount(deps, subject),
  )

/** Counts the same again, except payments older than the days shown, and corrects the differences. */
export const auditOverview = (deps: Deps): Promise<Walked> =>
  walkLists(deps, 'audit-overview', [...listsToCount(deps), shownPayments(deps)], (subject) =>
    recount(deps, subject),
  )

const allPayments =
  ({ payments }: Deps): WalkedList =>
  async (after) => {
    const position = PaymentId.optional().parse(after)
    return idsOf(await payments.list('ALL', { limit: WALKED_PAGE, after: position }), ({ id }) => id)
  }

const shownPayments =
  (deps: Deps): WalkedList =>
  async (after) =>
    onShownDays(deps, await allPayments(deps)(after))

function listsToCount(deps: Deps): WalkedList[] {
  const { overview, userLists, listings, reports, enquiries, callbacks, payouts } = deps
  const page = (after: string | undefined) => ({ limit: WALKED_PAGE, after })
  return [
    ...Queue.options.map(
      (queue): WalkedList =>
        async (after) =>
          idsOf(await overview.waiting(queue, page(after)), ({ subject }) => subject),
    ),
    async (after) => idsOf(await userLists.page({ list: 'WAITING', ...page(after) }), ({ id }) => id),
    (after) => signedUp(deps, after),
    async (after) => idsOf(await listings.queued(listsOf('PENDING_REVIEW'), page(after)), ({ id }) => id),
    async (after) => idsOf(await reports.open(page(after)), ({ listingId }) => listingId),
    async (after) => idsOf(await enquiries.reported(page(after)), ({ id }) => id),
    async (after) => {
      const position = CallbackId.optional().parse(after)
      return idsOf(
        await callbacks.list(WAITING_CALLBACKS, { limit: WALKED_PAGE, after: position }),
        ({ id }) => id,
      )
    },
    async (after) => {
      const position = PayoutId.optional().parse(after)
      const page = { limit: WALKED_PAGE, after: position }
      return idsOf(await payouts.list(WAITING_PAYOUTS, page), ({ id }) => id)
    },
  ]
}

/** People who registered on the days that are shown, newest first. */
async function signedUp(deps: Deps, after: string | undefined): Promise<Page<string, string>> {
  const query = { list: 'ALL', descending: true, limit: WALKED_PAGE, after } as const
  const users = await deps.userLists.page(query)
  return onShownDays(
    deps,
    idsOf(users, ({ id }) => id),
  )
}

/** Keeps the ids made on the days shown. The list has the newest first, so it ends where `next`, an id too, is older. */
function onShownDays({ now }: Deps, { items, next }: Page<string, string>): Page<string, string> {
  const oldest = Date.parse(shownDays(now()).at(-1) ?? '')
  const isShown = (id: string) => timeOfId(id) >= oldest
  return { items: items.filter(isShown), next: next !== undefined && isShown(next) ? next : undefined }
}
