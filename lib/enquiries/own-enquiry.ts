import { DomainError } from '#lib/kernel/domain-error'
import type { EnquiryId, UserId } from '#lib/kernel/id'
import { type Enquiry, type Side, sideOf } from './enquiry.ts'
import type { EnquiryStore } from './enquiry-store.ts'

/** Returns an enquiry and the caller's side. Throws `not_found` for anyone but its two sides. */
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
