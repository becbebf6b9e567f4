import { DomainError } from '#lib/kernel/domain-error'
import type { EnquiryId, UserId } from '#lib/kernel/id'
import { type Enquiry, type Side, sideOf } from './enquiry.ts'
import type { EnquiryReader } from './enquiry-store.ts'

/**
 * Returns an enquiry and the caller's side. Throws `not_found` for anyone but its two sides, and `unauthenticated` where
 * the caller is erased, see `refuseErased`.
 */
export async function getOwnEnquiry(
  { enquiries }: { enquiries: EnquiryReader },
  userId: UserId,
  id: EnquiryId,
): Promise<{ enquiry: Enquiry; side: Side }> {
  const enquiry = await enquiries.get(id)
  const side = enquiry && sideOf(enquiry, userId)
  if (!enquiry || !side) throw new DomainError('not_found')
  refuseErased(enquiry, side)
  return { enquiry, side }
}

/**
 * Throws `unauthenticated` where a side is erased: the account ended while its request was under way. Words that are
 * stored after the erasure would stay.
 */
export function refuseErased({ erased }: Enquiry, side: Side): void {
  if (erased[side]) throw new DomainError('unauthenticated')
}
