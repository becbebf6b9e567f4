import { beforeAll, describe, expect, it } from 'vitest'
import { spec as getUser } from '#functions/accounts/users/get-user'
import { spec as listUsers } from '#functions/accounts/users/list-users'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as listActions } from '#functions/administration/list-actions'
import { spec as search } from '#functions/administration/search'
import { spec as listReportedEnquiries } from '#functions/enquiries/list-reported-enquiries'
import { spec as getKycReview } from '#functions/kyc/get-kyc-review'
import { spec as listKycReviews } from '#functions/kyc/list-kyc-reviews'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as listLedger } from '#functions/ledger/list-ledger'
import { spec as listLedgerBalances } from '#functions/ledger/list-ledger-balances'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as getReceipt } from '#functions/payments/get-receipt'
import { spec as listAllPayments } from '#functions/payments/list-all-payments'
import { spec as changeWebhook } from '#functions/webhooks/change-webhook'
import { spec as createWebhook } from '#functions/webhooks/create-webhook'
import { spec as deleteWebhook } from '#functions/webhooks/delete-webhook'
import { spec as rotateSecret } from '#functions/webhooks/rotate-secret'
import { type Action, newAction } from '#lib/journal/journal'
import { openJournal } from '#lib/journal/journal.dynamo'
import { secondsAfter } from '#lib/kernel/clock'
import { idMaker, newId } from '#lib/kernel/id'
import { call } from '#test/support/call'
import { aUser, consoleToken } from '#test/support/given'
import { aPayment, paid } from '#test/support/payments'
import { testTable } from '#test/support/test-table'

const table = testTable()
const journal = openJournal(table)
const NOW = new Date()
let token: string
beforeAll(async () => {
  token = await consoleToken()
})

/** An entry of so many seconds ago. */
async function anEntry(secondsAgo: number, by: string, subject: string): Promise<Action> {
  const makeId = idMaker(() => secondsAfter(NOW, -secondsAgo))
  const action = newAction(makeId, { by, subject, action: 'user.banned', details: { reason: 'spam' } })
  await table.commit([journal.record(action)])
  return action
}
const list = async (query: Record<string, string>) => {
  const { body } = await call(listActions, { token, query })
  return body
}

describe('GET /admin/actions', () => {
  it('is newest first: all, those of a subject, and those of an administrator', async () => {
    const [subject, by] = [newId('user'), newId('user')]
    const older = await anEntry(20, by, subject)
    const newer = await anEntry(10, by, subject)
    const another = await anEntry(5, by, newId('user'))
    expect((await list({ subject })).items).toEqual([newer, older])
    expect((await list({ by })).items).toEqual([another, newer, older])
    expect((await list({ by, subject })).items).toEqual([newer, older])
    const { items } = await list({ limit: '100' })
    expect(items.filter((entry) => entry.by === by)).toEqual([another, newer, older])
  })

  it('lists an administrator whose subject is as long as an issuer may make it', async () => {
    const by = `${newId('user')}${'-'.repeat(225)}`
    const entry = await anEntry(10, by, newId('user'))
    expect((await list({ by })).items).toEqual([entry])
  })

  it('includes `from` and leaves out `to`', async () => {
    const subject = newId('user')
    const [first, second, third] = [
      await anEntry(30, 'ama', subject),
      await anEntry(20, 'ama', subject),
      await anEntry(10, 'ama', subject),
    ]
    const { items } = await list({ subject, from: first.at, to: third.at })
    expect(items).toEqual([second, first])
  })

  it('refuses a bound that is after the year 9999 in UTC: it would be before every entry', async () => {
    const { status, body } = await call(listActions, { token, query: { from: '9999-12-31T23:59:59-01:00' } })
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: 'from' }] } })
  })

  it('pages to its end', async () => {
    const subject = newId('user')
    for (let seconds = 1; seconds <= 5; seconds += 1) await anEntry(seconds, 'ama', subject)
    const first = await list({ subject, limit: '3' })
    const second = await list({ subject, limit: '3', cursor: first.nextCursor ?? '' })
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([3, 2, null])
  })
})

describe('the journal', () => {
  const entriesOf = async (subject: string) =>
    (await list({ subject })).items.map(({ by, action, details }) => ({ by, action, details }))

  it('has an entry of each decision, each look at a person, each ban and each end of one', async () => {
    const { id } = await aUser()
    await call(setKycStatus, { token, body: { userId: id, kycStatus: 'REJECTED', reasons: ['underage'] } })
    await call(getKycReview, { token, params: { userId: id } })
    await call(updateUser, { token, params: { id }, body: { status: 'BANNED', reason: 'spam' } })
    await call(updateUser, { token, params: { id }, body: { status: 'ACTIVE' } })
    expect(await entriesOf(id)).toEqual([
      { by: 'admin', action: 'user.unbanned', details: { from: 'BANNED', to: 'ACTIVE' } },
      { by: 'admin', action: 'user.banned', details: { from: 'ACTIVE', to: 'BANNED' } },
      { by: 'admin', action: 'kyc.viewed', details: { documentIds: [] } },
      {
        by: 'admin',
        action: 'kyc.decided',
        details: { from: 'UNVERIFIED', to: 'REJECTED', reasons: ['underage'] },
      },
    ])
  })

  it('has an entry of each change of an agent’s limits, and none of the same limits again', async () => {
    const { id } = await aUser()
    const none = { drafts: null, inReview: null, listings: null, files: null }
    for (const listingLimits of [{ drafts: 5 }, { drafts: 5, files: null }, null]) {
      await call(updateUser, { token, params: { id }, body: { listingLimits } })
    }
    const [from, to] = [null, { ...none, drafts: 5 }]
    expect(await entriesOf(id)).toEqual([
      { by: 'admin', action: 'user.limits_changed', details: { from: to, to: from } },
      { by: 'admin', action: 'user.limits_changed', details: { from, to } },
    ])
  })

  it('has an entry of a look at a user and at lists, by parameters and ids and without what was searched for', async () => {
    const { id, email } = await aUser()
    await call(getUser, { token, params: { id } })
    expect(await entriesOf(id)).toEqual([{ by: 'admin', action: 'user.viewed', details: {} }])
    await call(listUsers, { token, query: { email } })
    const [look] = (await list({ subject: 'users' })).items
    expect(look).toMatchObject({ action: 'users.listed', details: { parameters: ['email'], ids: [id] } })
    expect(JSON.stringify(look)).not.toContain(email)
    await call(listKycReviews, { token, query: { status: 'EXPIRED', limit: '1' } })
    const [queue] = (await list({ subject: 'kyc' })).items
    expect(queue).toMatchObject({ by: 'admin', action: 'kyc.listed', details: { parameters: ['status'] } })
  })

  it('has an entry of each look at payments, a payment and its receipt by an administrator', async () => {
    const user = await aUser()
    const payment = await aPayment(user)
    await paid(payment)
    const params = { id: payment.id }
    await call(getPaymentInFull, { token, params })
    await call(getReceipt, { token, params })
    await call(getReceipt, { token: user.token, params })
    await call(listAllPayments, { token, query: { userId: user.id, limit: '5' } })
    expect((await entriesOf(payment.id)).map(({ action }) => action)).toEqual([
      'receipt.viewed',
      'payment.viewed',
    ])
    const [look] = await entriesOf('payments')
    expect(look).toEqual({
      by: 'admin',
      action: 'payments.listed',
      details: { parameters: ['userId'], ids: [payment.id] },
    })
  })

  it('has an entry of each look at the ledger, by parameters and the ids of the postings on the page', async () => {
    await paid(await aPayment(await aUser()))
    const by = newId('user')
    const reader = { token: await consoleToken({ sub: by }) }
    const today = new Date().toISOString().slice(0, 10)
    const { body } = await call(listLedger, { ...reader, query: { from: today, limit: '2' } })
    await call(listLedgerBalances, { ...reader, query: { account: 'platform' } })
    const looked = { subject: 'ledger', action: 'ledger.viewed' }
    expect(body.items).toHaveLength(2)
    expect((await list({ by })).items).toMatchObject([
      { ...looked, details: { parameters: ['account'] } },
      { ...looked, details: { parameters: ['from'], ids: body.items.map(({ id }) => id) } },
    ])
  })

  it('has an entry of each search and of each look at the reported enquiries, without the words', async () => {
    const { id, email } = await aUser()
    await call(search, { token, query: { q: email } })
    const [look] = await entriesOf('search')
    expect(look).toEqual({ by: 'admin', action: 'search.made', details: { parameters: ['q'], ids: [id] } })
    await call(listReportedEnquiries, { token })
    const [enquiries] = await entriesOf('enquiries')
    expect(enquiries).toMatchObject({ by: 'admin', action: 'enquiries.listed' })
  })

  it('has an entry of each change of a webhook, by its fields and without its address or secret', async () => {
    const url = 'https://hooks.example/secret-path'
    const made = await call(createWebhook, { token, body: { url, types: ['user.registered'] } })
    const { id } = made.body
    const params = { id }
    await call(changeWebhook, { token, params, body: { description: 'The mirror', status: 'DISABLED' } })
    await call(rotateSecret, { token, params })
    await call(deleteWebhook, { token, params })
    expect(await entriesOf(id)).toEqual([
      { by: 'admin', action: 'webhook.deleted', details: {} },
      { by: 'admin', action: 'webhook.secret_rotated', details: {} },
      { by: 'admin', action: 'webhook.changed', details: { fields: ['description', 'status'] } },
      { by: 'admin', action: 'webhook.created', details: {} },
    ])
  })

  it('has no entry for a request that changes nothing', async () => {
    const { id } = await aUser()
    const decision = { userId: id, kycStatus: 'REJECTED' }
    for (let times = 0; times < 2; times += 1) await call(setKycStatus, { token, body: decision })
    expect(await entriesOf(id)).toHaveLength(1)
  })
})
