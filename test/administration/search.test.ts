import { beforeAll, describe, expect, it } from 'vitest'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as search } from '#functions/administration/search'
import { spec as getKyc } from '#functions/kyc/get-kyc'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as createUpload } from '#functions/media/create-upload'
import { spec as deleteMedia } from '#functions/media/delete-media'
import { spec as resolveCallback } from '#functions/payments/resolve-callback'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import type { SearchHit } from '#lib/administration/search/found'
import { announce } from '#lib/events/event'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { type Call, call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { handIn } from '#test/support/documents'
import { aConversation, sent } from '#test/support/enquiries'
import { anAgent, aProvenUser, aUser, consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { aPayment, paid, paymentOf } from '#test/support/payments'
import { testTable } from '#test/support/test-table'

let admin: string
beforeAll(async () => {
  admin = await consoleToken({ sub: 'ama' })
})

const find = async (q: string, deps: object = {}): Promise<SearchHit[]> => {
  const { status, body, text } = await call(search, { token: admin, query: { q }, deps: { ...deps } })
  if (status !== 200) throw new Error(text)
  return body.items
}
const documentOf = async ({ token }: GivenUser) => {
  await handIn(token)
  const { documents } = (await call(getKyc, { token })).body
  return documents[0]?.id ?? ''
}
const anUpload = async (agent: GivenUser, listing: string) => {
  const { status, body, text } = await call(createUpload, {
    token: agent.token,
    params: { id: listing },
    body: { contentType: 'image/jpeg', bytes: 1_000, sha256: 'ab'.repeat(32) },
  })
  if (status !== 201) throw new Error(text)
  return body.media.id
}
/** A paid payment and a refund that its provider made. */
const aRefundedPayment = async () => {
  const payer = await aUser()
  const payment = await aPayment(payer)
  await paid(payment)
  const about = { reference: payment.id, amount: 550, currency: 'EUR', refund_id: `r_${payment.id}` }
  await deliver(fromGateway('payment.refunded', about))
  const { refunds } = await paymentOf(payer, payment.id)
  return { payer, payment, refund: refunds[0]?.id ?? '' }
}

describe('GET /admin/search', () => {
  it('finds a user by id, e-mail, telephone number and words that begin words of the names', async () => {
    const agent = await anAgent({ displayName: 'Éburnie Immobilier', phone: '+22507445566' })
    const user = { type: 'user', id: agent.id, title: 'Awa Koné, Éburnie Immobilier' }
    for (const q of [
      agent.id,
      agent.email.toUpperCase(),
      '+22507445566',
      ' 225 07 44-55.66',
      '  225 07445566',
      'eburnie',
      'ÉBURNIE IMMO',
      'Immobilier',
      'kone eburnie',
    ]) {
      expect(await find(q), q).toEqual([user])
    }
    expect(await find('mobilier')).toEqual([])
    expect(await find('Eburnie Maison')).toEqual([])
    expect(await find(agent.email.slice(1))).toEqual([])
  })

  it('finds at most 20, each once', async () => {
    for (let count = 0; count < 22; count += 1) await aUser({ name: `Zoumana ${count}` })
    const twice = await anAgent({ displayName: 'Awa K. Agency' })
    expect(await find('zoumana')).toHaveLength(20)
    expect((await find('awa k')).filter(({ id }) => id === twice.id)).toHaveLength(1)
  })

  it('finds listings and enquiries by their ids, and by those of media and messages', async () => {
    const { agent, listing, customer, enquiry } = await aConversation()
    const house = { type: 'listing', id: listing, title: 'House by the lagoon' }
    const talk = { type: 'enquiry', id: enquiry.id, title: 'House by the lagoon' }
    expect(await find(listing)).toEqual([house])
    expect(await find(enquiry.id)).toEqual([talk])
    expect(await find((await sent(customer, enquiry.id, 'Still free?')).id)).toEqual([talk])
    const mediaId = await anUpload(agent, listing)
    expect(await find(mediaId)).toEqual([house])
    const params = { id: listing, mediaId }
    expect((await call(deleteMedia, { token: agent.token, params })).status).toBe(204)
    expect(await find(mediaId)).toEqual([])
    const draft = await aListing(agent.id, { title: null, status: 'DRAFT' })
    expect(await find(draft)).toEqual([{ type: 'listing', id: draft, title: draft }])
  })

  it('finds a listing by words that begin words of its title, whatever its status, and by its new title alone', async () => {
    const agent = await anAgent()
    const body = { offer: 'sale', category: 'house', title: 'Duplex Zénith, vue sur l’océan' }
    const created = await call(createListing, { token: agent.token, body })
    const { id }: { id: string } = created.body
    for (const q of ['zenith', 'DUPLEX Zén', 'ocean vue zen', 'l’océan']) {
      expect(await find(q), q).toEqual([{ type: 'listing', id, title: body.title }])
    }
    for (const q of ['enith', 'zenith jardin']) expect(await find(q), q).toEqual([])
    const title = 'Duplex Horizon, vue sur l’océan'
    const edited = await call(editListing, { token: agent.token, params: { id }, body: { title } })
    expect([created.status, edited.status]).toEqual([201, 200])
    expect([await find('zenith'), await find('horizon vue')]).toEqual([[], [{ type: 'listing', id, title }]])
  })

  it('finds a person by the id of a document, until the account ends', async () => {
    const person = await aProvenUser()
    const document = await documentOf(person)
    expect(await find(document)).toMatchObject([{ type: 'user', id: person.id }])
    await call(deleteAccount, { token: person.token, body: { password: PASSWORD } })
    expect([await find(document), await find(person.id), await find(person.email)]).toEqual([[], [], []])
  })

  it('finds a payment by its id, its receipt, its refund and what its provider calls it', async () => {
    const { payment, refund } = await aRefundedPayment()
    const shown = { type: 'payment', id: payment.id, title: '€125.50, deposit, PARTIALLY_REFUNDED' }
    const receipt = payment.id.replace('pay_', 'R-')
    for (const q of [payment.id, receipt, refund, `txn_${payment.id}`])
      expect(await find(q), q).toEqual([shown])
  })

  it('finds what waits for a payment by the provider’s reference, however the number is typed', async () => {
    await deliver(
      fromGateway('payment.succeeded', { reference: '4417-0099-22', amount: 100, currency: 'EUR' }),
    )
    for (const q of ['4417-0099-22', '4417009922', '4417 0099 22']) {
      expect(await find(q)).toMatchObject([
        { type: 'callback', title: 'standard-webhooks, payment.succeeded, UNMATCHED' },
      ])
    }
    const [waiting] = await find('4417009922')
    expect(await find(waiting?.id ?? '')).toEqual([waiting])
    const params = { id: waiting?.id ?? '' }
    await call(resolveCallback, { token: admin, params, body: { action: 'DISMISS', note: 'A test' } })
    expect(await find('4417009922')).toEqual([])
    const title = 'standard-webhooks, payment.succeeded, IGNORED'
    expect(await find(params.id)).toEqual([{ type: 'callback', id: params.id, title }])
  })

  it('finds an event once it may be read, and a user by an entry of the journal', async () => {
    const { id } = await aUser()
    const event = newId('event')
    const at = timestamp(new Date())
    await testTable().commit([announce({ id: event, type: 'user.banned', subject: id, at, data: {} })])
    expect(await find(event)).toEqual([])
    const token = await consoleToken({ exp: Math.floor(Date.now() / 1000) + 600 })
    const later = { now: () => secondsAfter(new Date(), 15) }
    const { body } = await call(search, { token, query: { q: event }, deps: later })
    expect(body).toEqual({ items: [{ type: 'event', id: event, title: `user.banned, ${id}` }] })
    await call(updateUser, { token: admin, params: { id }, body: { status: 'BANNED' } })
    const { items } = (await call(listActions, { token: admin, query: { subject: id } })).body
    expect(await find(items[0]?.id ?? '')).toMatchObject([{ type: 'user', id }])
  })

  it.each([
    'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'pay_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'enq_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'ntf_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'med_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'doc_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'rfd_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'msg_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'prq_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'ses_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'mai_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'act_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'whk_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'xyz_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    'constructor',
    '__proto__',
    '\u0301',
    "' OR 1=1 --",
    'nobody@example.com',
    '+15005550006',
    'x'.repeat(255),
    // Its compatible spelling is longer than a key may be.
    `${'ﷺ'.repeat(250)}@`,
  ])('finds nothing by %j', async (q) => {
    expect(await find(q)).toEqual([])
  })

  it('refuses no text, a blank one, one that is too long, and two', async () => {
    const queries: NonNullable<Call['query']>[] = [
      {},
      { q: '' },
      { q: ' ' },
      { q: 'x'.repeat(256) },
      { q: ['a', 'b'] },
      { q: 'a', limit: '5' },
    ]
    for (const query of queries) {
      expect(await call(search, { token: admin, query })).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      })
    }
  })

  it('leaves out what the role may not read', async () => {
    const { agent, listing, enquiry } = await aConversation()
    const { payment } = await aRefundedPayment()
    const byType = { user: agent.id, listing, enquiry: enquiry.id, payment: payment.id }
    const foundBy = async (group: string) => {
      const token = await consoleToken({ 'cognito:groups': [group] })
      const found = Object.entries(byType).map(async ([type, q]) => {
        const { status, body } = await call(search, { token, query: { q } })
        expect(status).toBe(200)
        return body.items.length > 0 ? [type] : []
      })
      return (await Promise.all(found)).flat()
    }
    expect({
      people: await foundBy('people'),
      moderators: await foundBy('moderators'),
      cashiers: await foundBy('cashiers'),
      helpers: await foundBy('helpers'),
      integrators: await foundBy('integrators'),
      auditors: await foundBy('auditors'),
    }).toEqual({
      people: ['user'],
      moderators: ['listing', 'enquiry'],
      cashiers: ['payment'],
      helpers: ['user'],
      integrators: [],
      auditors: ['user', 'listing', 'enquiry', 'payment'],
    })
  })

  it('is for administrators alone', async () => {
    const { token } = await aUser()
    expect(await call(search, { query: { q: 'a' } })).toMatchObject({ status: 401 })
    expect(await call(search, { token, query: { q: 'a' } })).toMatchObject({ status: 403 })
  })
})
