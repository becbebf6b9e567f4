import type { MessageId } from '#lib/kernel/id'
import { allPages } from '#lib/kernel/page'
import { retryConflicts } from '#lib/kernel/retry'
import type { Enquiry } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'

/** The number of messages that one transaction removes; DynamoDB takes at most 100 writes. */
const BATCH_SIZE = 50

/** Removes an enquiry with its messages, unless it has an open or paid payment request. Safe to repeat. */
export const removeEnquiry = ({ enquiries }: { enquiries: EnquiryStore }, found: Enquiry): Promise<void> =>
  retryConflicts(async () => {
    const enquiry = await enquiries.get(found.id)
    if (!enquiry || enquiry.requests.open + enquiry.requests.paid > 0) return
    const messages = await allPages((after: MessageId | undefined) =>
      enquiries.messages(enquiry.id, { limit: BATCH_SIZE, after }),
    )
    const removals = messages.map(({ id }) => enquiries.removeMessage(enquiry.id, id))
    while (removals.length > BATCH_SIZE) await enquiries.commit(removals.splice(0, BATCH_SIZE))
    // The enquiry goes with the last messages: an interrupted removal still finds it, and a payment request that is made
    // meanwhile keeps both.
    await enquiries.commit([...removals, ...enquiries.remove(enquiry)])
  })
