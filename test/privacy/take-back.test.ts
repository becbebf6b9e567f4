import { describe, expect, it } from 'vitest'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as reset } from '#functions/accounts/passwords/reset-password'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as getUser } from '#functions/accounts/users/get-user'
import { spec as listUsers } from '#functions/accounts/users/list-users'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as reconcilePayments } from '#functions/jobs/reconcile-payments'
import { spec as archiveListing } from '#functions/listings/archive-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as getPayment } from '#functions/payments/get-payment'
import { spec as getPaymentInFull } from '#functions/payments/get-payment-in-full'
import { spec as getReceipt } from '#functions/payments/get-receipt'
import { spec as listAllPayments } from '#functions/payments/list-all-payments'
import { spec as listListingPayments } from '#functions/payments/list-listing-payments'
import { spec as listPayments } from '#functions/payments/list-payments'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { spec as exportAccount } from '#functions/privacy/export-account'
import { spec as closeReports } from '#functions/reports/close-reports'
import { spec as listReports } from '#functions/reports/list-reports'
import { spec as reportListing } from '#functions/reports/report-listing'
import { secondsAfter, timestamp } from '#lib/kernel/clock'
import { ListingId, UserId } from '#lib/kernel/id'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import { takeBackKey } from '#lib/privacy/privacy.keys'
import { openReports } from '#lib/reports/report-store.dynamo'
import { ban } from '#test/support/bans'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { aListedHouse } from '#test/support/enquiries'
import { eventsOf } from '#test/support/events'
import { aUser, consoleToken, type GivenUser } from '#test/support/given'
import { runJob } from '#test/support/jobs'
import { mailedBy, tokenIn } from '#test/support/mail'
import { mailsOfEvent, notificationsOf } from '#test/support/notifications'
import { overtaken } from '#test/support/overtaken'
import { aPayment, fromPlayed, paid, played, success } from '#test/support/payments'
import { testProviders } from '#test/support/providers'
import { streamTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

const NEW_PASSWORD = 'nine herons over the weir'

const signIn = ({ email }: GivenUser) => call(login, { body: { email, password: NEW_PASSWORD } })

/** Resets the password of an account by the link that is mailed to its address. */
async function reclaim({ email }: GivenUser): Promise<void> {
  const { mails } = await mailedBy(forgot, { body: { email } })
  const body = { token: tokenIn(mails[0]), newPassword: NEW_PASSWORD }
  expect(await call(reset, { body })).toMatchObject({ status: 204 })
}

/** Takes an account back, and signs its owner in. */
async function takenBack(squatter: GivenUser): Promise<GivenUser> {
  await reclaim(squatter)
  const { accessToken, refreshToken } = (await signIn(squatter)).body
  return { ...squatter, token: accessToken, refreshToken }
}

/** Lets what follows a take-back happen. */
const follow = ({ id }: GivenUser) => streamTo(followAccounts, takeBackKey(UserId.parse(id)))

describe('an account that the owner of its address takes back', () => {
  it('stays banned until an administrator, who finds it by what it proved since, lifts the ban', async () => {
    const squatter = await aUser()
    await ban(squatter)
    await reclaim(squatter)
    expect(await signIn(squatter)).toMatchObject({ status: 403, body: { code: 'account_banned' } })
    const token = await consoleToken()
    const query = { status: 'BANNED', provenSince: 'true' }
    const { items } = (await call(listUsers, { token, query })).body
    const listed = items.find(({ id }) => id === squatter.id)
    expect(listed).toMatchObject({ status: 'BANNED', name: null, emailVerified: true })
    const { bannedAt, provenAt } = (await call(getUser, { token, params: { id: squatter.id } })).body
    expect({ bannedAt, provenAt }).toEqual({ bannedAt: listed?.bannedAt, provenAt: listed?.provenAt })
    expect(Date.parse(provenAt ?? '')).toBeGreaterThan(Date.parse(bannedAt ?? ''))
    await call(updateUser, { token, params: { id: squatter.id }, body: { status: 'ACTIVE' } })
    expect(await signIn(squatter)).toMatchObject({ status: 200 })
  })
})

describe('payments that were started before an account was taken back', () => {
  it('are not shown to its owner, whose own ones are, and stay with administrators and in the books', async () => {
    const squatter = await aUser({ name: 'Not Awa' })
    const earlier = await aPayment(squatter)
    await paid(earlier)
    const owner = await takenBack(squatter)
    const { token } = owner
    const own = await aPayment(owner)
    const { items } = (await call(listPayments, { token })).body
    expect(items.map(({ id }) => id)).toEqual([own.id])
    const params = { id: earlier.id }
    const refusals = [
      await call(getPayment, { token, params }),
      await call(cancelPayment, { token, params }),
      await call(getReceipt, { token, params }),
    ]
    expect(refusals.map(({ status }) => status)).toEqual([404, 404, 404])
    const exported = await call(exportAccount, { token })
    expect(exported.body.payments.map(({ id }) => id)).toEqual([own.id])
    expect(exported.text).not.toContain(earlier.id)

    const admin = await consoleToken()
    const all = await call(listAllPayments, { token: admin, query: { userId: owner.id } })
    expect(all.body.items.map(({ id }) => id)).toEqual([own.id, earlier.id])
    const inFull = await call(getPaymentInFull, { token: admin, params })
    expect(inFull.body).toMatchObject({ status: 'SUCCEEDED', user: { id: owner.id, name: null } })
    expect(inFull.body.ledger.length).toBeGreaterThan(0)
  })

  it('do not show its owner a listing that is public no more', async () => {
    const { agent, listing } = await aListedHouse()
    const squatter = await aUser()
    await paid(await aPayment(squatter, { listingId: listing, currency: 'XOF' }))
    await call(archiveListing, { token: agent.token, params: { id: listing } })
    const statusFor = async ({ token }: GivenUser) =>
      (await call(getListing, { token, params: { id: listing } })).status
    expect(await statusFor(squatter)).toBe(200)
    expect(await statusFor(await takenBack(squatter))).toBe(404)
  })

  it('are cancelled while they are PENDING, and their pages closed', async () => {
    const squatter = await aUser()
    const closed: string[] = []
    const providers = played({
      close: async ({ id }) => {
        closed.push(id)
        return true
      },
    })
    const pending = await aPayment(squatter, { provider: 'played' }, providers)
    const own = await aPayment(await takenBack(squatter), { provider: 'played' }, providers)
    await follow(squatter)
    const payments = openPayments(testTable())
    const statusOf = async ({ id }: typeof own) => (await payments.get(id))?.status
    expect([await statusOf(pending), await statusOf(own)]).toEqual(['CANCELLED', 'PENDING'])
    const now = () => secondsAfter(new Date(), 60)
    await runJob(reconcilePayments, { providers, now })
    expect(closed).toContain(pending.id)
    expect(closed).not.toContain(own.id)
  })

  it('do not keep its owner from ending the account, in whatever state they are', async () => {
    const squatter = await aUser()
    await aPayment(squatter)
    const processing = await aPayment(squatter, { provider: 'played' }, played())
    const statement = { kind: 'processing' as const, at: timestamp(new Date()) }
    const interpret = () => [success(processing, { statement })]
    await deliver(fromPlayed(), { providers: played({ interpret }) })
    const { token } = await takenBack(squatter)
    const body = { password: NEW_PASSWORD }
    expect(await call(deleteAccount, { token, body })).toMatchObject({ status: 204 })
    await follow(squatter)
    const { items } = await openPayments(testTable()).byUser(UserId.parse(squatter.id), {
      limit: 9,
      after: undefined,
    })
    expect(items.map(({ status }) => status)).toEqual(['PROCESSING', 'CANCELLED'])
  })

  it('are not notified to its owner, neither what came before nor what comes after', async () => {
    const squatter = await aUser()
    const payment = await aPayment(squatter)
    await paid(payment)
    const [event] = await eventsOf(payment.id, 'payment.status_changed')
    if (!event) throw new Error('The payment was not announced')
    await mailsOfEvent({ kind: 'event', ...event })
    expect(await notificationsOf(squatter.token)).toMatchObject({ items: [{}], unreadCount: 1 })
    const { token } = await takenBack(squatter)
    expect(await mailsOfEvent({ kind: 'event', ...event, id: 'evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND' })).toEqual([])
    expect(await notificationsOf(token)).toMatchObject({ items: [], unreadCount: 0 })
  })

  it('do not tell an agent who was paid the name of its owner', async () => {
    const { agent, listing } = await aListedHouse()
    const squatter = await aUser()
    const payment = await aPayment(squatter, { listingId: listing, currency: 'XOF' })
    await paid(payment)
    const [event] = await eventsOf(payment.id, 'payment.status_changed')
    if (!event) throw new Error('The payment was not announced')
    await mailsOfEvent({ kind: 'event', ...event })
    const { token } = await takenBack(squatter)
    await call(changeProfile, { token, body: { name: 'Zénaïde Bamba' } })
    const [received] = (await notificationsOf(agent.token)).items
    expect(received).toMatchObject({ subject: payment.id })
    expect(JSON.stringify(received)).not.toContain('Zénaïde')
    const params = { id: listing }
    const { items } = (await call(listListingPayments, { token: agent.token, params })).body
    expect(items).toMatchObject([{ id: payment.id, payer: { name: null } }])
  })

  it('are refused with a 401 where the take-back overtakes them', async () => {
    const squatter = await aUser()
    const payments = overtaken(openPayments(testTable()), 'commit', () => reclaim(squatter))
    const { status } = await call(createPayment, {
      token: squatter.token,
      body: { provider: 'standard-webhooks', amount: 12_550, currency: 'EUR', purpose: 'deposit' },
      deps: { providers: testProviders(), payments },
    })
    expect(status).toBe(401)
  })
})

describe('reports that were made before an account was taken back', () => {
  const report = async ({ token }: Pick<GivenUser, 'token'>, listing: string, text = 'Not hers') => {
    const body = { reason: 'misleading', text }
    const { status } = await call(reportListing, { params: { id: listing }, token, body })
    expect(status).toBe(202)
  }

  it('are withdrawn while they are open, and no longer its owner’s, who may report anew', async () => {
    const { listing } = await aListedHouse()
    const [squatter, other] = [await aUser(), await aUser()]
    await report(squatter, listing)
    await report(other, listing, 'Another')
    const owner = await takenBack(squatter)
    await follow(squatter)
    const token = await consoleToken()
    const open = async () =>
      (await call(listReports, { token, params: { listingId: listing } })).body.items.map(({ text }) => text)
    expect(await open()).toEqual(['Another'])
    const summary = await openReports(testTable()).get(ListingId.parse(listing))
    expect(summary).toMatchObject({ count: 1, reasons: { misleading: 1 } })
    expect((await call(exportAccount, { token: owner.token })).body.reports).toEqual([])
    await report(owner, listing, 'My own')
    await follow(squatter)
    expect(await open()).toEqual(['My own', 'Another'])
  })

  it('leave a listing without any out of the moderators’ list', async () => {
    const { listing } = await aListedHouse()
    const squatter = await aUser()
    await report(squatter, listing)
    await reclaim(squatter)
    await follow(squatter)
    const summary = await openReports(testTable()).get(ListingId.parse(listing))
    expect(summary).toMatchObject({ count: 0, reasons: {}, firstAt: null })
  })

  it('lose their text and reporter where they were closed', async () => {
    const { listing } = await aListedHouse()
    const squatter = await aUser()
    await report(squatter, listing)
    const body = { outcome: 'DISMISSED', upTo: timestamp(secondsAfter(new Date(), 60)) }
    await call(closeReports, { token: await consoleToken(), params: { listingId: listing }, body })
    await reclaim(squatter)
    await follow(squatter)
    const reports = openReports(testTable())
    const seen = await reports.get(ListingId.parse(listing))
    const at = seen?.lastAt ?? timestamp(new Date())
    const { items } = await reports.between(ListingId.parse(listing), at, at, { limit: 9, after: undefined })
    expect(items).toMatchObject([{ reason: 'misleading', text: null, by: null }])
  })
})
