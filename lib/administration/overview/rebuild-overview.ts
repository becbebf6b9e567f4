import * as z from 'zod'
import type { Directory } from '#lib/accounts/directory'
import type { EnquiryStore } from '#lib/enquiries/enquiry-store'
import { NotificationId, PaymentId, timeOfId } from '#lib/kernel/id'
import type { Page } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import type { Progress } from '#lib/kernel/progress'
import type { ListingStore } from '#lib/listings/listing-store'
import { listsOf } from '#lib/listings/review/queue-place'
import { ATTENTION, type Inbox } from '#lib/payments/callbacks/inbox'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { ReportStore } from '#lib/reports/report'
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

const JOB = 'rebuild-overview'
const PAGE_SIZE = 100
const WIDTH = 4

/** A run begins no further page after ten minutes; Lambda ends it after fifteen. */
const RUN_SECONDS = 600

/** The list that the next run continues, and the position in it. */
const Position = z.object({ list: z.int(), after: z.string().optional() })

/** A list of subjects to count, page by page. */
type SubjectList = (after: string | undefined) => Promise<Page<string, string>>

/**
 * Counts everything anew that the overview shows: what it holds already, what waits in a queue, the people of the last
 * days and all payments. Needed for records that are older than the counters, and finds what differs: `corrected` tells
 * how many counts were wrong. A run stops after ten minutes and stores its position; the next run continues there.
 * `isDone` tells that nothing is left. Safe to repeat, and beside the changes of the day.
 */
export async function rebuildOverview(
  deps: Deps,
): Promise<{ counted: number; corrected: number; isDone: boolean }> {
  const { progress, now } = deps
  const endsAt = now().getTime() + RUN_SECONDS * 1000
  const lists = listsToCount(deps)
  let { list, after } = (await progress.read(JOB, Position)) ?? { list: 0, after: undefined }
  let [counted, corrected] = [0, 0]
  for (let read = lists[list]; read; read = lists[list]) {
    if (now().getTime() >= endsAt) return { counted, corrected, isDone: false }
    const { items, next } = await read(after)
    const changes = await inParallel(items, WIDTH, (subject) => recount(deps, subject))
    counted += items.length
    corrected += changes.filter(Boolean).length
    ;[list, after] = next === undefined ? [list + 1, undefined] : [list, next]
    await progress.store(JOB, { list, after })
  }
  await progress.finish(JOB)
  return { counted, corrected, isDone: true }
}

function listsToCount(deps: Deps): SubjectList[] {
  const { overview, directory, listings, reports, enquiries, inbox, payments } = deps
  const page = (after: string | undefined) => ({ limit: PAGE_SIZE, after })
  return [
    ...Queue.options.map(
      (queue): SubjectList =>
        async (after) =>
          named(await overview.waiting(queue, page(after)), ({ subject }) => subject),
    ),
    async (after) => named(await directory.page({ list: 'WAITING', ...page(after) }), ({ id }) => id),
    (after) => signedUp(deps, after),
    async (after) => named(await listings.queued(listsOf('PENDING_REVIEW'), page(after)), ({ id }) => id),
    async (after) => named(await reports.open(page(after)), ({ listingId }) => listingId),
    async (after) => named(await enquiries.reported(page(after)), ({ id }) => id),
    async (after) => {
      const position = NotificationId.optional().parse(after)
      return named(await inbox.list(ATTENTION, { limit: PAGE_SIZE, after: position }), ({ id }) => id)
    },
    async (after) => {
      const position = PaymentId.optional().parse(after)
      return named(await payments.list('ALL', { limit: PAGE_SIZE, after: position }), ({ id }) => id)
    },
  ]
}

/** People who registered on the days that are shown, newest first. */
async function signedUp({ directory, now }: Deps, after: string | undefined): Promise<Page<string, string>> {
  const { items, next } = await directory.page({ list: 'ALL', descending: true, limit: PAGE_SIZE, after })
  const oldest = Date.parse(shownDays(now()).at(-1) ?? '')
  const isShown = (id: string) => timeOfId(id) >= oldest
  const reachesBefore = next !== undefined && !isShown(next)
  return {
    items: items.map(({ id }) => id).filter(isShown),
    next: reachesBefore ? undefined : next,
  }
}

const named = <Item, Position extends string>(
  { items, next }: Page<Item, Position>,
  idOf: (item: Item) => string,
): Page<string, string> => ({ items: items.map(idOf), next })
