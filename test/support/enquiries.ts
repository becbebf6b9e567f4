import { spec as createEnquiry } from '#functions/enquiries/create-enquiry'
import { spec as sendMessage } from '#functions/enquiries/send-message'
import { accountKey } from '#lib/accounts/account.keys'
import { TABLE_WRITES } from '#lib/dynamo/table'
import type { EnquiryView, MessageView } from '#lib/enquiries/enquiry-view'
import { UserId } from '#lib/kernel/id'
import { call } from './call.ts'
import { aProvenUser, aVerifiedAgent, type GivenUser } from './given.ts'
import { aListing, COMPLETE } from './listings.ts'
import { testTable } from './test-table.ts'

/** Changes an account as if it had come to that long ago. */
export const withAccount = (userId: string, set: Record<string, unknown>): Promise<void> =>
  testTable().commit([
    TABLE_WRITES.update(accountKey(UserId.parse(userId)), { set, add: { version: 1 }, when: 'present' }),
  ])

/** A user whose e-mail is verified. */
export const aCustomer = (more: Record<string, unknown> = {}): Promise<GivenUser> =>
  aProvenUser({ name: 'Binta Diallo', ...more })

/** A public listing and its verified agent. */
export async function aListedHouse(): Promise<{ agent: GivenUser; listing: string }> {
  const agent = await aVerifiedAgent()
  return { agent, listing: await aListing(agent.id, COMPLETE) }
}

/** Asks the agent of a listing. */
export const ask = (
  customer: GivenUser,
  listing: string,
  body: Record<string, unknown> = { message: 'Is it still free in June?' },
  headers: Record<string, string> = {},
) => call(createEnquiry, { params: { id: listing }, token: customer.token, body, headers })

/** An enquiry that a customer has just sent. */
export async function anEnquiry(
  customer: GivenUser,
  listing: string,
  body?: Record<string, unknown>,
): Promise<EnquiryView> {
  const { status, body: view, text } = await ask(customer, listing, body)
  if (status !== 201) throw new Error(text)
  return view
}

/** A public listing, and a customer's enquiry about it. */
export async function aConversation(body?: Record<string, unknown>) {
  const [{ agent, listing }, customer] = await Promise.all([aListedHouse(), aCustomer()])
  const enquiry = await anEnquiry(customer, listing, body)
  return { agent, listing, customer, enquiry }
}

/** Sends a message in an enquiry. */
export const send = (by: GivenUser, enquiry: string, text: string) =>
  call(sendMessage, { params: { id: enquiry }, token: by.token, body: { text } })

/** A message that was sent. */
export async function sent(by: GivenUser, enquiry: string, text: string): Promise<MessageView> {
  const { status, body, text: raw } = await send(by, enquiry, text)
  if (status !== 201) throw new Error(raw)
  return body
}
