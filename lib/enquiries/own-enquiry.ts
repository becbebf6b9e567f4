import { DomainError } from '#lib/kernel/domain-error'
import type { EnquiryId, UserId } from '#lib/kernel/id'
import { type Enquiry, type Side, sideOf } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'

/** An enquiry and the side that the caller is on. To everyone but its two sides it does not exist: `not_found`. */
export async function getOwnEnquiry(
  { enquiries }: { enquiries: Pick<EnquiryStore, 'get'> },
  userId: UserId,
  id: EnquiryId,
): Promise<{ enquiry: Enquiry; side: Side }> {
  const enquiry = await enquiries.get(id)
  const side = enquiry && sideOf(enquiry, userId)
  if (!enquiry || !side) throw new DomainError('not_found')
  return { enquiry, side }
}
