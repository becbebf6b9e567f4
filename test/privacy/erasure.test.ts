import { randomUUID } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { paginateScan } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { describe, expect, inject, it } from 'vitest'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as register } from '#functions/accounts/register'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as sendMessage } from '#functions/enquiries/send-message'
import { spec as saveFavourite } from '#functions/favourites/save-favourite'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as followListings } from '#functions/jobs/follow-listings'
import { spec as sendMail } from '#functions/jobs/send-mail'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as replayCallback } from '#functions/payments/replay-callback'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { spec as reportListing } from '#functions/reports/report-listing'
import { spec as createSavedSearch } from '#functions/saved-searches/create-saved-search'
import type { HttpSpec } from '#lib/http/spec'
import { timestamp } from '#lib/kernel/clock'
import { type ListingId, newId, PaymentId, UserId } from '#lib/kernel/id'
import { sha256 } from '#lib/kernel/signatures'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { localDynamoClient } from '#lib/local/dynamodb'
import { openMailQueue } from '#lib/mail/mail-queue.dynamo'
import { mailRequestKey } from '#lib/mail/mail-request.keys'
import { objectInventory } from '#lib/media/store/object-inventory.s3'
import { openCallbacks } from '#lib/payments/callbacks/callback-store.dynamo'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import { openPayouts } from '#lib/payouts/payout-store.dynamo'
import { deletionKey } from '#lib/privacy/privacy.keys'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { handIn } from '#test/support/documents'
import { aCustomer, aListedHouse, ask } from '#test/support/enquiries'
import {
  aUser,
  aVerifiedAgent,
  consoleToken,
  type GivenUser,
  PASSWORD,
  proveEmail,
  verified,
} from '#test/support/given'
import { aListing, COMPLETE, listingOf } from '#test/support/listings'
import { mailedBy } from '#test/support/mail'
import { delivered, uploaded } from '#test/support/media'
import { aPayment, paid, paymentOf } from '#test/support/payments'
import { paidOut, payTo } from '#test/support/payouts'
import { jpeg } from '#test/support/pictures'
import { changeOf, deliveredTo, listingChangeOf, streamTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

/** Everything that names one person, and nobody else. */
function aName() {
  const mark = randomUUID().slice(0, 8)
  const phone = `+22507${String(Number.parseInt(mark.slice(0, 6), 16))
    .padStart(8, '0')
    .slice(0, 8)}`
  return { mark, name: `Zita ${mark}`, phone }
}

type Named = GivenUser & ReturnType<typeof aName>

/** A verified agent whose every text holds a mark of their own, the address included. */
async function aNamedAgent(): Promise<Named> {
  const named = aName()
  const email = `zita-${named.mark}@example.com`
  const registration = { name: named.name, phone: named.phone, email, password: PASSWORD }
  const { answer } = await mailedBy(register, { body: registration })
  const { user: registered, accessToken: token } = answer.body
  const user = { id: registered.id, token, refreshToken: '' }
  await proveEmail(user.id)
  const body = { displayName: `${named.name} Immobilier`, agency: `${named.mark} & Co`, phone: named.phone }
  await call(putAgentProfile, { token: user.token, body })
  await handIn(user.token)
  await verified(user.id)
  return { ...user, ...named, email }
}

/** Pays a named agent out to a telephone of theirs, so that nothing is owed to them. */
async function payOut(agent: Named): Promise<void> {
  const { name: holder, phone } = agent
  const account = { method: 'mobile_money', country: 'CI', currency: 'XOF', holder, phone, network: 'mtn' }
  const { status, text } = await payTo(agent, account)
  if (status !== 200) throw new Error(text)
  await paidOut(agent, 'XOF')
}

async function erase(person: GivenUser) {
  const { status, text } = await call(deleteAccount, { token: person.token, body: { password: PASSWORD } })
  if (status !== 204) throw new Error(text)
  await streamTo(followAccounts, deletionKey(UserId.parse(person.id)))
}

/** The keys of all items of the table in which one of these texts stands, in any form in which it is stored. */
async function itemsWith(...texts: string[]): Promise<string[]> {
  const client = localDynamoClient(inject('stack').dynamoEndpoint)
  const found: string[] = []
  const TableName = process.env['TABLE_NAME']
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    for (const item of Items.map((each) => unmarshall(each))) {
      const stored = JSON.stringify(item, (_, value) => readable(value)).toLowerCase()
      if (texts.some((text) => stored.includes(text.toLowerCase())))
        found.push(`${item['kind']} ${item['sk']}`)
    }
  }
  client.destroy()
  return found
}

function readable(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value
  const bytes = Buffer.from(value)
  return (bytes.subarray(0, 2).toString('hex') === '1f8b' ? gunzipSync(bytes) : bytes).toString('utf8')
}

const failing = { mailer: { send: async () => Promise.reject(new Error('busy')) } }

const PLACE = {
  ...{ country: 'CI', city: 'Abidjan', district: 'Cocody', address: '12 rue des Manguiers' },
  ...{ lat: 5.3599, lng: -4.0083, precision: 'exact' as const },
}

/** A listing with a place, words, a captioned picture and a pending revision, in a status that it had for long. */
async function aFiledListing(agent: GivenUser, status: 'PUBLISHED' | 'ARCHIVED') {
  const words = { description: 'You find us up the red stairs.', reference: `MANGO-7 ${status}` }
  const id = await aListing(agent.id, { ...COMPLETE, ...words, status: 'DRAFT', location: PLACE })
  const { body } = await uploaded(id, agent.token, [jpeg()], ['The door is behind the bakery'])
  for (const media of body.items) await delivered(id, media.id)
  const draft = await listingOf(id)
  if (!draft) throw new Error('There is no listing')
  const submittedAt = timestamp(new Date())
  const revision = status === 'PUBLISHED' ? { changes: { location: PLACE }, submittedAt } : null
  const before = { ...draft, status, revision, version: draft.version + 1 }
  const store = openListings(testTable())
  await store.commit(store.replace(draft, before))
  await deliveredTo(followListings, [listingChangeOf(draft, before)])
  return { id, before }
}

/** What is in the media bucket of a listing. */
async function objectsOf(id: ListingId | undefined): Promise<string[]> {
  const kinds: string[] = []
  for await (const { items } of objectInventory.make().pages(undefined))
    kinds.push(...items.flatMap(({ name: { kind, name } }) => (name.listingId === id ? [kind] : [])))
  return kinds
}

/** A mail to an address that could not be sent, asked for at the page where anyone asks. */
async function anUnsentLink(email: string) {
  const id = newId('mail')
  const queue = openMailQueue(testTable())
  await queue.commit([
    queue.request({
      ...{ id, at: timestamp(new Date()), purpose: 'password-reset', email, registration: null },
      ...{ userId: null, sessionId: null },
    }),
  ])
  const item = (await testTable().get(mailRequestKey(id))) ?? {}
  await deliveredTo(sendMail, [changeOf(undefined, item)], failing)
}

describe('the erasure of an account', () => {
  it('leaves no item in which the person is named', async () => {
    const person = await aNamedAgent()
    const { mark, phone, name } = person
    const { listing: other } = await aListedHouse()
    const own = await aListing(person.id, COMPLETE)

    // As a customer.
    const enquiry = (await ask(person, other, { message: `I am ${name}`, phone })).body
    await call(sendMessage, {
      params: { id: enquiry.id },
      token: person.token,
      body: { text: `Call ${name}` },
      headers: { 'idempotency-key': `key ${mark}` },
    })
    await call(saveFavourite, { params: { listingId: other }, token: person.token })
    await call(createSavedSearch, {
      token: person.token,
      body: { name: `For ${name}`, filters: { country: 'CI' }, alert: 'instant' },
    })
    await call(reportListing, {
      params: { id: other },
      token: person.token,
      body: { reason: 'other', text: `${name} says so` },
    })
    const details = { metadata: { lease: name }, returnUrl: `https://www.platform.test/${mark}`, phone }
    const payment = await aPayment(person, { ...details, listingId: other, currency: 'XOF' })
    const { id: reference, amount, currency } = payment
    const failure = {
      id: `try_${payment.id}`,
      reference,
      amount,
      currency,
      message: `${name} has no funds`,
      name,
    }
    await deliver(fromGateway('payment.failed', failure))
    await deliver(
      fromGateway('payment.succeeded', { id: `paid_${payment.id}`, reference, amount: 1, currency, name }),
    )
    await deliver(
      fromGateway('payment.succeeded', { id: reference, reference, amount, currency, name, phone }),
    )
    // What cannot be read, and what concerns no payment.
    await deliver(fromGateway('payment.succeeded', { id: reference, reference, amount: [], currency, name }))
    await deliver(fromGateway('customer.renamed', { name, phone }))
    await anUnsentLink(person.email)

    // As an agent, in what is kept for others.
    const customer = await aCustomer()
    await ask(customer, own, { message: 'Is it free?' }, { 'idempotency-key': 'asked' })
    await paid(await aPayment(customer, { listingId: own, currency: 'XOF' }))
    await payOut(person)

    // In answers that are kept for administrators.
    const decide = async (spec: HttpSpec, params: Record<string, string>, body: object) => {
      const headers = { 'idempotency-key': newId('event') }
      const { status } = await call(spec, { token: await consoleToken(), params, headers, body })
      expect(status).toBe(200)
    }
    await decide(setKycStatus, {}, { userId: person.id, kycStatus: 'PENDING' })
    await decide(updateUser, { id: person.id }, { listingLimits: { drafts: 5 } })
    await decide(moderateListing, { id: own }, { status: 'SUSPENDED', reasons: ['other'] })

    expect((await itemsWith(mark, phone)).length).toBeGreaterThan(10)
    await erase(person)
    expect(await itemsWith(mark, phone)).toEqual([])
    // Neither do sealed accounts name them to whoever holds the keys.
    const { items } = await openPayouts(testTable()).byAgent(UserId.parse(person.id), {
      limit: 9,
      after: undefined,
    })
    expect(items).toMatchObject([{ status: 'PAID', sealed: null }])
    await erase(await aUser())
  })

  it('keeps of each callback that it came, what it meant and the hash of its body', async () => {
    const payer = await aUser()
    const payment = await aPayment(payer)
    await paid(payment)
    const callbacks = openCallbacks(testTable())
    const [before] = await callbacks.ofPayment(PaymentId.parse(payment.id))
    await erase(payer)
    const [after] = await callbacks.ofPayment(PaymentId.parse(payment.id))
    expect(after).toEqual({ ...before, isErased: true, headers: {}, rawBody: new Uint8Array() })
    expect(after?.rawBodySha256).toMatch(/^[0-9a-f]{64}$/)
    const replayed = await call(replayCallback, {
      token: await consoleToken(),
      params: { id: String(after?.id) },
      body: {},
    })
    expect(replayed).toMatchObject({ status: 200, body: { wouldChange: null } })
  })

  it('leaves a callback of someone else in whose numbers a short reference of theirs stands', async () => {
    const payer = await aUser()
    const payment = await aPayment(payer)
    const { id: reference, amount, currency } = payment
    const sent = fromGateway('payment.succeeded', { id: '4512', reference, amount, currency })
    expect(await deliver(sent)).toMatchObject({ status: 200 })
    expect((await openPayments(testTable()).get(PaymentId.parse(payment.id)))?.references).toContain('4512')
    const others = fromGateway('payment.succeeded', { amount: 1_451_200, currency })
    const theirs = fromGateway('payment.succeeded', { amount: 7, currency, note: 'of 4512' })
    for (const callback of [others, theirs]) await deliver(callback)
    await erase(payer)
    const { items } = await openCallbacks(testTable()).list('UNMATCHED', { limit: 100, after: undefined })
    const erasedOf = ({ rawBody }: { rawBody: string }) =>
      items.find(({ rawBodySha256 }) => rawBodySha256 === sha256(rawBody))?.isErased
    expect([erasedOf(others), erasedOf(theirs)]).toEqual([false, true])
  })

  it('covers what a provider sends afterwards, which still counts', async () => {
    const payer = await aUser()
    const payment = await aPayment(payer)
    await paid(payment)
    await erase(payer)
    const { mark, name } = aName()
    const { id: reference, amount, currency } = payment
    const refund = { id: `back_${payment.id}`, reference, amount, currency, reason: name, name }
    const { status } = await deliver(fromGateway('payment.refunded', refund))
    expect(status).toBe(200)
    expect((await openPayments(testTable()).get(PaymentId.parse(payment.id)))?.status).toBe('REFUNDED')
    expect(await itemsWith(mark)).toEqual([])
  })

  it('leaves of listings, archived ones too, neither exact place nor words, and no file', async () => {
    const agent = await aVerifiedAgent()
    const listings = [await aFiledListing(agent, 'PUBLISHED'), await aFiledListing(agent, 'ARCHIVED')]
    for (const { id } of listings) expect((await objectsOf(id)).length).toBeGreaterThan(1)
    const [published] = listings
    expect(await objectsOf(published?.id)).toContain('public')
    await erase(agent)
    for (const { id, before } of listings) {
      const after = await listingOf(id)
      expect(after).toMatchObject({ status: 'ARCHIVED', title: before.title, price: before.price })
      expect(after).toMatchObject({ description: null, reference: null, media: [], revision: null })
      expect(after?.location).toEqual({ ...PLACE, address: null, lat: null, lng: null })
      await deliveredTo(followListings, [listingChangeOf(before, after)])
      expect(await objectsOf(id)).toEqual([])
    }
    expect(await itemsWith(PLACE.address, 'behind the bakery', 'up the red stairs', 'MANGO-7')).toEqual([])
  })

  it('takes the agent’s name out of others’ payments, and leaves those as they are otherwise', async () => {
    const agent = await aNamedAgent()
    const listing = await aListing(agent.id, COMPLETE)
    const customer = await aCustomer()
    const payment = await aPayment(customer, { listingId: listing, currency: 'XOF' })
    await paid(payment)
    await payOut(agent)
    const before = await paymentOf(customer, payment.id)
    expect(before.listing?.agent?.displayName).toContain(agent.mark)
    await erase(agent)
    const after = await paymentOf(customer, payment.id)
    expect(after).toEqual({
      ...before,
      listing: { title: before.listing?.title, agent: null },
      updatedAt: after.updatedAt,
    })
  })
})
