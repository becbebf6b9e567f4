import * as z from 'zod'
import type { MessageId, UserId } from '#lib/kernel/id'
import { allPages, PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import { Enquiry, EnquiryReport, Side } from './enquiry.ts'
import type { EnquiryReader } from './enquiry-store.ts'
import { MessageView } from './enquiry-view.ts'

/** An enquiry in the export of a person's data. Of the other side's words it contains only the messages. */
export const ExportedEnquiry = Enquiry.pick({
  id: true,
  listingId: true,
  status: true,
  visitAt: true,
  visit: true,
  lastMessageAt: true,
  createdAt: true,
}).extend({
  role: z.enum(['sent', 'received']),
  phone: z.string().nullable().meta({
    description: 'As the person gave it; null in received enquiries',
    example: '+2250700000000',
  }),
  report: EnquiryReport.nullable().meta({ description: 'What the person reported' }),
  messages: z.array(MessageView),
})

type Deps = { enquiries: EnquiryReader }

/** Returns the enquiries that a person sent, then those they received, both newest first and with their messages. */
export async function exportEnquiries(
  deps: Deps,
  userId: UserId,
): Promise<z.input<typeof ExportedEnquiry>[]> {
  const bySide = await Promise.all(Side.options.map((side) => exportSide(deps, userId, side)))
  return bySide.flat()
}

async function exportSide({ enquiries }: Deps, userId: UserId, side: Side) {
  const found = await allPages((after: string | undefined) =>
    enquiries.ofUser(userId, side, { limit: PAGE_SIZE, after }),
  )
  return inParallel(found, async ({ enquiry }) => ({
    // The answer's schema drops what is the other side's.
    ...enquiry,
    role: side === 'customer' ? ('sent' as const) : ('received' as const),
    phone: side === 'customer' ? enquiry.phone : null,
    report: enquiry.reports[side],
    messages: await allPages((after: MessageId | undefined) =>
      enquiries.messages(enquiry.id, { limit: PAGE_SIZE, after }),
    ),
  }))
}
