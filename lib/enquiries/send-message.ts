import type { AccountReader } from '#lib/accounts/account-store'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { type EnquiryId, idAfter, type NewId, type UserId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import { type Enquiry, type Message, otherSide, type Side, statusAfterMessage, userOn } from './enquiry.ts'
import { announceReply } from './enquiry-events.ts'
import type { EnquiryStore } from './enquiry-store.ts'
import { isThere, type MessageView } from './enquiry-view.ts'
import { countMessage } from './limits.ts'
import { getOwnEnquiry } from './own-enquiry.ts'

type Deps = {
  enquiries: EnquiryStore
  accounts: AccountReader
  quotas: Quotas
  once: Once<MessageView>
  now: Clock
  newId: NewId
}

/**
 * Sends a message in an enquiry of the caller's, and opens a CLOSED enquiry again. Simultaneous messages are stored one
 * after the other. Throws `not_found`, `other_side_gone` and `too_many_requests`.
 */
export const sendMessage = (deps: Deps, userId: UserId, id: EnquiryId, text: string): Promise<MessageView> =>
  retryConflicts(async () => {
    const { enquiries, newId } = deps
    const { enquiry, side } = await getOwnEnquiry(deps, userId, id)
    await refuseOtherSideGone(deps, enquiry, side)
    const { next, message } = withMessage(enquiry, side, text, deps)
    await enquiries.commit([
      // A repetition of the request is answered with this message.
      ...deps.once.receipt(message),
      ...enquiries.replace(enquiry, next),
      enquiries.insertMessage(id, message),
      announceReply(newId, next, message),
      ...countMessage(deps.quotas, userId, deps.now()),
    ])
    return message
  })

/** Returns an enquiry after one more message, and the message, which is never dated before the last one. */
export function withMessage(
  enquiry: Enquiry,
  from: Side,
  text: string,
  { newId, now }: { newId: NewId; now: Clock },
): { next: Enquiry; message: Message } {
  const present = timestamp(now())
  const at = present < enquiry.lastMessageAt ? enquiry.lastMessageAt : present
  const sent = { ...enquiry.sent, [from]: enquiry.sent[from] + 1 }
  const message = { id: idAfter(newId, 'message', enquiry.lastMessageId), from, text, at, sent }
  const next: Enquiry = {
    ...enquiry,
    status: statusAfterMessage(enquiry, from),
    sent,
    answeredAt: enquiry.answeredAt ?? (from === 'agent' ? at : null),
    lastMessageId: message.id,
    lastMessageAt: at,
    version: enquiry.version + 1,
  }
  return { next, message }
}

/** Throws `other_side_gone` unless the other side can read its messages, see `isThere`. */
export async function refuseOtherSideGone(
  { accounts }: Pick<Deps, 'accounts'>,
  enquiry: Enquiry,
  side: Side,
): Promise<void> {
  const other = otherSide(side)
  const account = await accounts.get(userOn(other, enquiry))
  if (!isThere(other, account)) throw new DomainError('other_side_gone')
}
