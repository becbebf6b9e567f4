import type * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { type EnquiryId, MessageId, type UserId } from '#lib/kernel/id'
import { answerPage, PageQuery, pageOf } from '#lib/kernel/page'
import type { Enquiry, Side } from './enquiry.ts'
import type { EnquiryReader } from './enquiry-store.ts'
import { EnquiryView, MessageView, readView, type ViewDeps, viewMessage } from './enquiry-view.ts'
import { getOwnEnquiry } from './own-enquiry.ts'

/** The page of messages to show with an enquiry. */
export const MessagesQuery = PageQuery

/** An enquiry with a page of its messages, newest first. */
export const EnquiryWithMessages = EnquiryView.extend({ messages: pageOf(MessageView) }).meta({
  id: 'EnquiryWithMessages',
})
export type EnquiryWithMessages = z.infer<typeof EnquiryWithMessages>

export type ReadDeps = ViewDeps & { enquiries: EnquiryReader; cursors: Cursors }

/** Returns an enquiry of the caller's with a page of its messages. Throws `not_found` for anyone but its two sides. */
export async function getEnquiry(
  deps: ReadDeps,
  userId: UserId,
  id: EnquiryId,
  query: z.infer<typeof MessagesQuery>,
): Promise<EnquiryWithMessages> {
  const { enquiry, side } = await getOwnEnquiry(deps, userId, id)
  return withMessages(deps, enquiry, query, side)
}

/** Adds a page of messages to an enquiry as a side sees it or, without a side, as administrators do. */
export async function withMessages(
  deps: ReadDeps,
  enquiry: Enquiry,
  { limit, cursor }: z.infer<typeof MessagesQuery>,
  side?: Side,
): Promise<EnquiryWithMessages> {
  const list = { list: 'messages', filters: { enquiry: enquiry.id }, position: MessageId }
  const [{ view, people }, { items, nextCursor }] = await Promise.all([
    readView(deps, enquiry, side),
    answerPage(deps.cursors, list, cursor, (after) => deps.enquiries.messages(enquiry.id, { limit, after })),
  ])
  return { ...view, messages: { items: items.map((message) => viewMessage(message, people)), nextCursor } }
}
