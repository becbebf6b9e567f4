import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as forgotPassword } from '#functions/accounts/passwords/forgot-password'
import { spec as listSessions } from '#functions/accounts/sessions/list-sessions'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as refresh } from '#functions/accounts/sessions/refresh'
import { spec as getOverview } from '#functions/administration/get-overview'
import { spec as countOverview } from '#functions/jobs/count-overview'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as countOwnListings } from '#functions/listings/count-own-listings'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as editListing } from '#functions/listings/edit-listing'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as getPayment } from '#functions/payments/get-payment'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { eligibilityKey } from '#lib/accounts/account.keys'
import { dynamo as client, connect } from '#lib/dynamo/client'
import { ListingId, UserId } from '#lib/kernel/id'
import { openListings } from '#lib/listings/listing-store.dynamo'
import type { PaymentView } from '#lib/payments/payment-view'
import { deletionKey } from '#lib/privacy/privacy.keys'
import { type Answer, call } from '#test/support/call'
import { deliver, fromGateway } from '#test/support/callbacks'
import { type FaultyDynamo, startFaultyDynamo } from '#test/support/faulty-dynamo'
import { aUser, aVerifiedAgent, consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { aListing, COMPLETE, listingOf } from '#test/support/listings'
import { uploaded } from '#test/support/media'
import { aPayment } from '#test/support/payments'
import { jpeg, segment, withSegments } from '#test/support/pictures'
import { testProviders } from '#test/support/providers'
import { streamTo } from '#test/support/stream'
import { deliverChanges, type TableChange, tableChanges } from '#test/support/table-changes'
import { testTable } from '#test/support/test-table'

// All of it goes through a database that holds items, throttles, loses answers and lags as the real one does.
const FAULTS = {
  seed: 20_261_122,
  holdMilliseconds: 25,
  lostAnswers: 0.04,
  throttles: 0.02,
  lagMilliseconds: 1_500,
}

let dynamo: FaultyDynamo
const { send } = client
let admin: string

beforeAll(async () => {
  dynamo = await startFaultyDynamo(inject('stack').dynamoEndpoint)
  admin = await consoleToken()
  client.send = connect({ endpoint: dynamo.endpoint }).send
})

beforeEach(() => dynamo.make(undefined))
afterAll(() => {
  client.send = send
  return dynamo.stop()
})

const times = <T>(count: number, task: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => task(index)))
const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))]

/** Does many things at once while faults are made. */
async function racing<T>(count: number, task: (index: number) => Promise<T>): Promise<T[]> {
  dynamo.make(FAULTS)
  const results = await times(count, task)
  dynamo.make(undefined)
  return results
}

describe('accounts, raced for', { timeout: 60_000 }, () => {
  it('sign in on twenty devices at once, and list every one of them', async () => {
    const { email, token } = await aUser()
    const answers = await racing(20, (index) =>
      call(login, { body: { email, password: PASSWORD }, ipAddress: `192.0.2.${index}` }),
    )
    expect(statuses(answers)).toEqual([200])
    const { body } = await call(listSessions, { token, query: { limit: '100' } })
    expect(body.items).toHaveLength(21)
  })

  it('answer twenty refreshes of one token with one pair', async () => {
    const { refreshToken } = await aUser()
    const answers = await racing(20, () => call(refresh, { body: { refreshToken } }))
    expect(statuses(answers)).toEqual([200])
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(1)
  })

  it('take ten changes of a profile at once', async () => {
    const { token } = await aUser()
    const names = await racing(10, (index) => call(changeProfile, { token, body: { name: `Name ${index}` } }))
    expect(statuses(names)).toEqual([200])
  })

  it('take ten decisions of an identity one after another, each recorded', async () => {
    const { id } = await aUser()
    const answers = await racing(10, (index) =>
      call(setKycStatus, {
        token: admin,
        body: { userId: id, kycStatus: 'PENDING', message: `Look ${index}` },
      }),
    )
    expect(statuses(answers).filter((status) => status !== 409)).toEqual([200])
    const decisions = await testTable().query({ partition: `USER#${id}`, beginsWith: 'KYC#' })
    expect(decisions.items).toHaveLength(answers.filter(({ status }) => status === 200).length)
  })

  it('are mailed for every password that was forgotten', async () => {
    const { email } = await aUser()
    const answers = await racing(20, () => call(forgotPassword, { body: { email } }))
    expect(statuses(answers)).toEqual([202])
  })
})

describe('listings, raced for', { timeout: 60_000 }, () => {
  it('twenty listings of one agent, created at once, are all there and counted', async () => {
    const agent = await aVerifiedAgent()
    const answers = await racing(20, () =>
      call(createListing, { token: agent.token, body: { offer: 'rent', category: 'house' } }),
    )
    expect(statuses(answers)).toEqual([201])
    const { body } = await call(countOwnListings, { token: agent.token })
    expect(body.counts.DRAFT).toBe(20)
  })

  it('one idempotency key at once makes one listing', async () => {
    const agent = await aVerifiedAgent()
    const headers = { 'idempotency-key': randomUUID() }
    const answers = await racing(10, () =>
      call(createListing, { token: agent.token, headers, body: { offer: 'rent', category: 'house' } }),
    )
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(statuses(answers).filter((status) => status !== 201 && status !== 409)).toEqual([])
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
    const { body } = await call(countOwnListings, { token: agent.token })
    expect(body.counts.DRAFT).toBe(1)
  })

  it('take ten changes at once', async () => {
    const agent = await aVerifiedAgent()
    const id = await aListing(agent.id, { ...COMPLETE, status: 'DRAFT', publishedAt: null })
    const answers = await racing(10, (index) =>
      call(editListing, { params: { id }, token: agent.token, body: { bedrooms: index + 1 } }),
    )
    expect(statuses(answers)).toEqual([200])
    expect((await listingOf(id))?.version).toBe(11)
  })

  it('take six pictures at once', async () => {
    const agent = await aVerifiedAgent()
    const id = await aListing(agent.id, { ...COMPLETE, status: 'DRAFT', publishedAt: null })
    const answers = await racing(6, (index) =>
      uploaded(id, agent.token, [withSegments(jpeg(), segment(0xfe, Buffer.from(`${index}`)))]),
    )
    expect(statuses(answers)).toEqual([201])
    expect((await listingOf(id))?.media).toHaveLength(6)
  })

  it('follow the eligibility of their agent, all sixty of them, while its account is busy', async () => {
    const agent = await aVerifiedAgent()
    const ids = await times(60, () => aListing(agent.id))
    await sleep(FAULTS.lagMilliseconds)
    await call(setKycStatus, { token: admin, body: { userId: agent.id, kycStatus: 'REJECTED' } })
    const key = eligibilityKey(UserId.parse(agent.id))
    // A change that meets too many others goes back to its queue, which delivers it again.
    const deliver = (): Promise<unknown> => streamTo(followAccounts, key).catch(deliver)
    await racing(6, async (index) =>
      index === 0
        ? deliver()
        : times(5, () =>
            call(changeProfile, { token: agent.token, body: { phone: `+22507000000${index}` } }),
          ),
    )
    const listings = await Promise.all(ids.map(listingOf))
    expect(new Set(listings.map((listing) => listing?.status))).toEqual(new Set(['SUSPENDED']))
    const moves = await Promise.all(ids.map(openListings(testTable()).moves))
    expect(new Set(moves.map(({ length }) => length))).toEqual(new Set([1]))
  })
})

describe('payments, raced for', { timeout: 60_000 }, () => {
  const pay = (user: GivenUser, key: string) =>
    call(createPayment, {
      token: user.token,
      headers: { 'idempotency-key': key },
      body: { provider: 'standard-webhooks', amount: 12_550, currency: 'EUR', purpose: 'deposit' },
      deps: { providers: testProviders() },
    })
  const money = ({ id, amount, currency }: PaymentView) => ({
    id: `txn_${id}`,
    reference: id,
    amount,
    currency,
  })

  it('ten payments of one person are started at once', async () => {
    const user = await aUser()
    const answers = await racing(10, () => pay(user, randomUUID()))
    expect(statuses(answers)).toEqual([201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(10)
  })

  it('one idempotency key at once makes one payment', async () => {
    const user = await aUser()
    const key = randomUUID()
    const answers = await racing(10, () => pay(user, key))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(statuses(answers).filter((status) => status !== 201 && status !== 409)).toEqual([])
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1)
  })

  it('make one move by twenty copies of a callback, all of them acknowledged', async () => {
    const user = await aUser()
    const payment = await aPayment(user)
    const callback = fromGateway('payment.succeeded', money(payment))
    const answers = await racing(20, () => deliver(callback))
    expect(statuses(answers)).toEqual([200])
    const { items } = await testTable().query({ partition: `PAYMENT#${payment.id}`, beginsWith: 'MOVE#' })
    expect(items).toHaveLength(1)
    const { body } = await call(getPayment, { token: user.token, params: { id: payment.id } })
    expect(body.status).toBe('SUCCEEDED')
  })
})

describe('an account that ends', { timeout: 60_000 }, () => {
  it('takes with it the listings that the index does not show yet', async () => {
    const agent = await aVerifiedAgent()
    dynamo.make(FAULTS)
    const created = await times(5, () =>
      call(createListing, { token: agent.token, body: { offer: 'rent', category: 'house' } }),
    )
    const ended = await call(deleteAccount, { token: agent.token, body: { password: PASSWORD } })
    expect(ended.status).toBe(204)
    await streamTo(followAccounts, deletionKey(UserId.parse(agent.id)))
    dynamo.make(undefined)
    const ids = created.map(({ body }) => ListingId.parse(body.id))
    const listings = await Promise.all(ids.map(listingOf))
    expect(listings.map((listing) => listing?.status)).toEqual(Array(5).fill('ARCHIVED'))
  })
})

// Whether an index still hides an item when it is read depends on how busy the machine is.
it('All of these races met conflicts, throttles and lost answers.', () => {
  const { conflicts, throttled, lost } = dynamo.counts
  for (const count of [conflicts, throttled, lost]) expect(count).toBeGreaterThan(0)
})

describe('the overview, raced for', { timeout: 60_000 }, () => {
  it('counts each of twenty sign-ups once, however often their changes are delivered at once', async () => {
    const changes = await tableChanges(countOverview)
    const people = await times(20, () => aUser())
    const registered = await changes()
    // What fails comes again, as from its queue.
    const delivered = async (change: TableChange): Promise<void> =>
      deliverChanges(countOverview, [change]).then(
        () => undefined,
        () => delivered(change),
      )
    await racing(2 * registered.length, (index) => {
      const change = registered[index % registered.length]
      return change ? delivered(change) : Promise.resolve()
    })
    const { body } = await call(getOverview, { token: admin })
    expect(body.signUps?.[0]?.count).toBe(people.length)
    expect(dynamo.counts.conflicts).toBeGreaterThan(0)
  })
})
