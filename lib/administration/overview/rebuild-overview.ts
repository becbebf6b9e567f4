import type { Directory } from '#lib/accounts/directory'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { NotificationId, PaymentId, timeOfId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import type { Progress } from '#lib/kernel/progress'
import type { ListingStore } from '#lib/listings/listing-store'
import { listsOf } from '#lib/listings/review/queue-place'
import { ATTENTION, type Inbox } from '#lib/payments/callbacks/inbox'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { ReportStore } from '#lib/reports/report'
import { idsOf, WALKED_PAGE, type Walked, type WalkedList, walkLists } from '../walk-lists.ts'
import { type RecountDeps, recount } from './recount.ts'
import { Queue, shownDays } from './share.ts'

type Deps = RecountDeps & {
  directory: Directory
  listings: Pick<ListingStore, 'queued'>
  reports: Pick<ReportStore, 'open'>
  enquiries: Pick<EnquiryStore, 'reported'>
  inbox: Pick<Inbox, 'list'>
  payments: Pick<PaymentStore, 'list'>
  progress: Progress
}

/**
 * Counts everything anew that the overview shows: what it holds already, what waits in a queue, the people of the last
 * days and all payments. Needed for records that are older than the counters. It is the audit as well: `changed` tells how
 * many counts were wrong. Run it until `isDone`. Safe to repeat, and beside the changes of the day.
 */
export const rebuildOverview = (deps: Deps): Promise<Walked> =>
  walkLists(deps, 'rebuild-overview', listsToCount(deps), (subject) => recount(deps, subject))

function listsToCount(deps: Deps): WalkedList[] {
  const { overview, directory, listings, reports, enquiries, inbox, payments } = deps
  const page = (after: string | undefined) => ({ limit: WALKED_PAGE, after })
  return [
    ...Queue.options.map(
      (queue): WalkedList =>
        async (after) =>
          idsOf(await overview.waiting(queue, page(after)), ({ subject }) => subject),
    ),
    async (after) => idsOf(await directory.page({ list: 'WAITING', ...page(after) }), ({ id }) => id),
    (after) => signedUp(deps, after),
    async (after) => idsOf(await listings.queued(listsOf('PENDING_REVIEW'), page(after)), ({ id }) => id),
    async (after) => idsOf(await reports.open(page(after)), ({ listingId }) => listingId),
    async (after) => idsOf(await enquiries.reported(page(after)), ({ id }) => id),
    async (after) => {
      const position = NotificationId.optional().parse(after)
      return idsOf(await inbox.list(ATTENTION, { limit: WALKED_PAGE, after: position }), ({ id }) => id)
    },
    async (after) => {
      const position = PaymentId.optional().parse(after)
      return idsOf(await payments.list('ALL', { limit: WALKED_PAGE, after: position }), ({ id }) => id)
    },
  ]
}

/** People who registered on the days that are shown, newest first. */
async function signedUp({ directory, now }: Deps, after: string | undefined): Promise<Page<string, string>> {
  const { items, next } = await directory.page({
    list: 'ALL',
    descending: true,
    limit: WALKED_PAGE,
    after,
  })
  const oldest = Date.parse(shownDays(now()).at(-1) ?? '')
  const isShown = (id: string) => timeOfId(id) >= oldest
  const reachesBefore = next !== undefined && !isShown(next)
  return {
    items: items.map(({ id }) => id).filter(isShown),
    next: reachesBefore ? undefined : next,
  }
}
