import { describe, expect, it } from 'vitest'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as getReceipt } from '#functions/payments/get-receipt'
import { spec as listListingPayments } from '#functions/payments/list-listing-payments'
import { spec as showReceipt } from '#functions/payments/show-receipt'
import { accountKey } from '#lib/accounts/account.keys'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { UserId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { aCustomer, aListedHouse } from '#test/support/enquiries'
import { consoleToken, type GivenUser } from '#test/support/given'
import { aPayment, paid } from '#test/support/payments'
import { testTable } from '#test/support/test-table'

const RENT = { amount: 150_000, currency: 'XOF', purpose: 'rent' }

async function aPaidRent(more: Record<string, unknown> = {}) {
  const [{ agent, listing }, customer] = await Promise.all([aListedHouse(), aCustomer(more)])
  const payment = await aPayment(customer, { ...RENT, listingId: listing })
  await paid(payment)
  return { agent, listing, customer, payment }
}

const receipt = (token: string, id: string, headers = {}) =>
  call(getReceipt, { params: { id }, token, headers })

const listed = async ({ token }: GivenUser, id: string, query = {}) =>
  call(listListingPayments, { params: { id }, token, query })

describe('a receipt', () => {
  it('says who paid whom, what for and how much, to payer, owner and administrators', async () => {
    const { agent, listing, customer, payment } = await aPaidRent()
    const first = await receipt(customer.token, payment.id)
    expect(first).toMatchObject({ status: 200, headers: { vary: expect.stringContaining('Accept') } })
    expect(first.body).toEqual({
      receiptNumber: `R-${payment.id.slice(4)}`,
      paymentId: payment.id,
      paidAt: expect.any(String),
      payer: { name: 'Binta Diallo' },
      payee: { displayName: 'Awa Immobilier', agency: 'Awa & Co' },
      listing: { id: listing, title: 'House by the lagoon' },
      purpose: 'rent',
      amount: 150_000,
      currency: 'XOF',
      amountRefunded: 0,
      provider: 'standard-webhooks',
      link: { url: expect.any(String), expiresAt: expect.any(String) },
    })
    for (const token of [agent.token, await consoleToken()]) {
      const { link: _, ...own } = (await receipt(token, payment.id)).body
      expect(first.body).toMatchObject(own)
    }
    expect((await receipt((await aCustomer()).token, payment.id)).status).toBe(404)
  })

  it('is there only once the payment has succeeded, and shows what was refunded', async () => {
    const customer = await aCustomer()
    const payment = await aPayment(customer, { ...RENT, purpose: 'fee' })
    expect(await receipt(customer.token, payment.id)).toMatchObject({ status: 404 })
    await paid(payment)
    expect(await receipt(customer.token, payment.id)).toMatchObject({
      status: 200,
      body: { payee: null, listing: null },
    })
    const data = { id: `txn_${payment.id}_r`, reference: payment.id, amount: 50_000, currency: 'XOF' }
    await deliver(fromGateway('payment.refunded', data))
    expect((await receipt(customer.token, payment.id)).body).toMatchObject({ amountRefunded: 50_000 })
  })

  it('is a page for a browser, in the reader’s language, and no name is markup', async () => {
    const { customer, payment } = await aPaidRent({ name: '<b>Binta</b> & Co' })
    await call(changeProfile, { token: customer.token, body: { locale: 'fr' } })
    const { headers, text } = await receipt(customer.token, payment.id, { accept: 'text/html,*/*;q=0.8' })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).toContain('<html lang="fr" dir="ltr">')
    expect(text).toContain('Numéro du reçu')
    expect(text).toContain('&lt;b&gt;Binta&lt;/b&gt; &amp; Co')
    expect(text).not.toContain('<b>')
    const arabic = await receipt(await consoleToken(), payment.id, {
      accept: 'text/html',
      'accept-language': 'ar',
    })
    expect(arabic.text).toContain('<html lang="ar" dir="rtl">')
  })

  it('has a link that opens its page for five minutes without a credential, in the reader’s language', async () => {
    const { customer, payment } = await aPaidRent()
    await call(changeProfile, { token: customer.token, body: { locale: 'fr' } })
    const { body, headers } = await receipt(customer.token, payment.id)
    const { link } = body
    const seconds = (Date.parse(link.expiresAt) - Date.now()) / 1_000
    expect([seconds > 290, seconds <= 300]).toEqual([true, true])
    expect(headers['vary']).toContain('Accept, Authorization')
    const { pathname, searchParams } = new URL(link.url)
    expect(pathname).toBe('/receipt')
    const token = searchParams.get('token') ?? ''
    const page = await call(showReceipt, { query: { token } })
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(page.text).toContain('<html lang="fr" dir="ltr">')
    expect(page.text).toContain('Binta Diallo')
    const late = { now: () => new Date(link.expiresAt) }
    for (const answer of [
      await call(showReceipt, { query: { token }, deps: late }),
      await call(showReceipt, { query: { token: token.replace('.fr.', '.en.') } }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    }
    const browser = { accept: 'text/html', 'accept-language': 'fr' }
    const expired = await call(showReceipt, { query: { token }, deps: late, headers: browser })
    expect(expired).toMatchObject({ status: 400, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(expired.text).toContain('Ouvrez de nouveau le reçu de votre paiement.')
    expect((await call(showReceipt, { headers: browser })).text).toContain('Ouvrez de nouveau le reçu')
  })

  it('carries the operator’s name, colour and logo, and loads pictures from where the logo is alone', async () => {
    const { customer, payment } = await aPaidRent()
    const brand = {
      name: 'Kaya & Sons',
      colour: '#fde047',
      logo: 'https://cdn.kaya.example/logo.svg?v=2&w=1',
    }
    const page = await call(getReceipt, {
      params: { id: payment.id },
      token: customer.token,
      headers: { accept: 'text/html' },
      deps: { brand },
    })
    expect(page.text).toContain('<bdi>Kaya &amp; Sons</bdi>')
    expect(page.text).toContain('<img src="https://cdn.kaya.example/logo.svg?v=2&amp;w=1" alt="">')
    expect(page.text).toContain('--brand: #fde047; --on-brand: #111827')
    const policy = page.headers['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('img-src https://cdn.kaya.example;')
    const plain = await receipt(customer.token, payment.id, { accept: 'text/html' })
    expect(plain.text).not.toMatch(/<img|<header/)
    expect(plain.headers['content-security-policy']).not.toContain('img-src')
  })

  it('names nobody who was erased', async () => {
    const { agent, customer, payment } = await aPaidRent()
    await testTable().commit([TABLE_WRITES.remove(accountKey(UserId.parse(agent.id)))])
    expect((await receipt(customer.token, payment.id)).body).toMatchObject({ payee: null })
    await testTable().commit([TABLE_WRITES.remove(accountKey(UserId.parse(customer.id)))])
    expect((await receipt(await consoleToken(), payment.id)).body).toMatchObject({ payer: { name: null } })
  })
})

describe('the payments on a listing', () => {
  it('are those with a success, newest first, for its owner', async () => {
    const { agent, listing, customer, payment } = await aPaidRent()
    await aPayment(customer, { ...RENT, listingId: listing })
    const second = await aPayment(customer, { ...RENT, listingId: listing })
    await paid(second)
    const { status, body } = await listed(agent, listing)
    expect(status).toBe(200)
    expect(body).toEqual({
      items: [second, payment].map(({ id }) => ({
        id,
        status: 'SUCCEEDED',
        purpose: 'rent',
        amount: 150_000,
        currency: 'XOF',
        amountPaid: 150_000,
        amountRefunded: 0,
        payer: { name: 'Binta Diallo' },
        paymentRequestId: null,
        createdAt: expect.any(String),
      })),
      nextCursor: null,
    })
    const { nextCursor, items } = (await listed(agent, listing, { limit: '1' })).body
    expect(items.map(({ id }) => id)).toEqual([second.id])
    const rest = await listed(agent, listing, { limit: '1', cursor: nextCursor })
    expect(rest.body.items.map(({ id }) => id)).toEqual([payment.id])
  })

  it('are nobody else’s', async () => {
    const { listing, customer } = await aPaidRent()
    expect(await listed(customer, listing)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect((await listed(customer, 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND')).status).toBe(404)
  })
})
