import type { MessageId } from '#lib/kernel/id'
import { allPages } from '#lib/kernel/page'
import { retryConflicts } from '#lib/kernel/retry'
import type { Enquiry } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'

/** The number of messages that one transaction removes; DynamoDB takes at most 100 writes. */
const BATCH_SIZE = 50

/** Removes an enquiry with its messages, unless it has an open or paid payment request. Safe to repeat. */
export const removeEnquiry = (
  {
    enquiries,
  }: { enquiries: Pick<EnquiryStore, 'get' | 'messages' | 'remove' | 'removeMessage' | 'commit'> },
  found: Enquiry,
): Promise<void> =>
  retryConflicts(async () => {
    const enquiry = await enquiries.get(found.id)
    if (!enquiry || enquiry.requests.open + enquiry.requests.paid > 0) return
    const messages = await allPages((after: MessageId | undefined) =>
      enquiries.messages(enquiry.id, { limit: BATCH_SIZE, after }),
    )
    for (let start = 0; start < messages.length; start += BATCH_SIZE) {
      const removed = messages.slice(start, start + BATCH_SIZE)
      await enquiries.commit(removed.map(({ id }) => enquiries.removeMessage(enquiry.id, id)))
    }
    // Last, so that an interrupted removal still finds the enquiry.
    await enquiries.commit(enquiries.remove(enquiry))
  })
