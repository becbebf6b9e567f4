import * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import type { UserId } from '#lib/kernel/id'
import { answerPage, FILTERED_READ_MAX, matchesOf, PageQuery } from '#lib/kernel/page'
import { querySet } from '#lib/kernel/query-list'
import { EnquiryStatus } from './enquiry.ts'
import type { EnquiryReader } from './enquiry-store.ts'
import { type ViewDeps, viewEnquiries } from './enquiry-view.ts'

/** Which of the caller's enquiries to list. */
export const EnquiryQuery = PageQuery.extend({
  role: z
    .enum(['sent', 'received'])
    .optional()
    .meta({ description: '`sent` by default; an API key reads only `received`' }),
  status: querySet(EnquiryStatus),
  listingId: z.string().max(100).optional(),
})

type Deps = ViewDeps & { enquiries: EnquiryReader; cursors: Cursors }

/**
 * Lists a user's enquiries, newest message first. With a filter a page holds the matches among the next hundred
 * enquiries, and may be short.
 */
export function listEnquiries(
  deps: Deps,
  userId: UserId,
  { limit, cursor, ...filters }: z.infer<typeof EnquiryQuery> & { role: 'sent' | 'received' },
) {
  const { role, status, listingId } = filters
  const side = role === 'received' ? 'agent' : 'customer'
  const isFiltered = status !== undefined || listingId !== undefined
  const list = { list: 'enquiries', filters: { userId, ...filters }, position: z.string() }
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const read = { limit: isFiltered ? FILTERED_READ_MAX : limit, after }
    const { items, next } = matchesOf(
      await deps.enquiries.ofUser(userId, side, read),
      limit,
      ({ position }) => position,
      ({ enquiry }) =>
        (status === undefined || status.includes(enquiry.status)) &&
        (listingId === undefined || enquiry.listingId === listingId),
    )
    return {
      items: await viewEnquiries(
        deps,
        items.map(({ enquiry }) => enquiry),
        side,
      ),
      next,
    }
  })
}
