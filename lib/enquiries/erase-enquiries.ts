import type { EnquiryId, MessageId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { retryConflicts } from '#lib/kernel/retry'
import { type Enquiry, Side } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'

type Deps = {
  enquiries: EnquiryStore
}

/**
 * Erases what a person wrote in enquiries, as customer and as agent: messages, telephone number, proposed times and notes
 * of visits, texts of reports. The other side keeps its own words. Safe to repeat.
 */
export async function eraseEnquiries(deps: Deps, userId: UserId): Promise<void> {
  for (const side of Side.options) {
    const written = await allPages((after: string | undefined) =>
      deps.enquiries.ofUser(userId, side, { limit: PAGE_SIZE, after }),
    )
    await inParallel(written, ({ enquiry }) => erase(deps, enquiry, side))
  }
}

async function erase(deps: Deps, enquiry: Enquiry, side: Side): Promise<void> {
  // The record comes first: a message that is being sent then conflicts with it, and no later one is accepted.
  await eraseRecord(deps, enquiry, side)
  await eraseMessages(deps, enquiry.id, side)
}

const eraseRecord = ({ enquiries }: Deps, found: Enquiry, side: Side): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const enquiry = isRetry ? await enquiries.get(found.id) : found
    if (!enquiry || enquiry.erased[side]) return
    await enquiries.commit(enquiries.replace(enquiry, withoutWords(enquiry, side)))
  })

/** Returns an enquiry without what a side wrote in its record. */
function withoutWords(enquiry: Enquiry, side: Side): Enquiry {
  const { erased, reports, visit } = enquiry
  const report = reports[side]
  return {
    ...enquiry,
    // The customer gives a telephone number and proposes times; the agent sets the visit, and may add a note.
    ...(side === 'customer' ? { phone: null, visitAt: [] } : { visit: visit && { ...visit, note: null } }),
    erased: { ...erased, [side]: true },
    reports: { ...reports, [side]: report && { ...report, text: null } },
    version: enquiry.version + 1,
  }
}

async function eraseMessages({ enquiries }: Deps, id: EnquiryId, side: Side): Promise<void> {
  const messages = await allPages((after: MessageId | undefined) =>
    enquiries.messages(id, { limit: PAGE_SIZE, after }),
  )
  const written = messages.filter(({ from, text }) => from === side && text !== null)
  await inParallel(written, (message) => enquiries.commit([enquiries.eraseMessage(id, message.id)]))
}
