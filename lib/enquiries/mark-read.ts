import * as z from 'zod'
import { DomainError } from '#lib/kernel/domain-error'
import { type EnquiryId, MessageId, type UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { otherSide } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'
import { getOwnEnquiry } from './own-enquiry.ts'

/** The newest message that the caller has read. A malformed id is answered as an unknown one. */
export const ReadMark = z.object({
  upTo: z.string().min(1).max(100).meta({ example: 'msg_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
})

/**
 * Marks a message and everything before it as read by the caller. The mark never moves back. Throws `not_found` where
 * the enquiry is not the caller's, or has no such message.
 */
export const markRead = (
  deps: { enquiries: EnquiryStore },
  userId: UserId,
  id: EnquiryId,
  { upTo }: z.infer<typeof ReadMark>,
): Promise<void> =>
  retryConflicts(async () => {
    const { enquiries } = deps
    const { enquiry, side } = await getOwnEnquiry(deps, userId, id)
    const messageId = MessageId.safeParse(upTo).data
    const message = messageId && (await enquiries.message(id, messageId))
    if (!message) throw new DomainError('not_found', { detail: 'There is no such message' })
    // The number of the other side's messages up to this one, which is the caller's `read` from now on.
    const count = message.sent[otherSide(side)]
    if (count <= enquiry.read[side]) return
    const next = { ...enquiry, read: { ...enquiry.read, [side]: count }, version: enquiry.version + 1 }
    await enquiries.commit(enquiries.replace(enquiry, next))
  })
