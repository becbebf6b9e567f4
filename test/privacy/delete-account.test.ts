import { describe, expect, it } from 'vitest'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as getPublicAgent } from '#functions/accounts/get-public-agent'
import { spec as register } from '#functions/accounts/register'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as listUsers } from '#functions/accounts/users/list-users'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as getKycReview } from '#functions/kyc/get-kyc-review'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as listQueuedListings } from '#functions/listings/list-queued-listings'
import { spec as cancelPayment } from '#functions/payments/cancel-payment'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as refundPayment } from '#functions/payments/refund-payment'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import type { Account } from '#lib/accounts/account'
import { accounts as accountStore } from '#lib/accounts/account-store.dynamo'
import { openFactors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { sessions as sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { idempotencyKey } from '#lib/dynamo/dynamo.keys'
import { timestamp, unixSeconds } from '#lib/kernel/clock'
import { newId, PaymentId, UserId } from '#lib/kernel/id'
import { openKycStore } from '#lib/kyc/kyc-store.dynamo'
import type { ListingStatus } from '#lib/listings/listing'
import { NotificationState, preferencesOf } from '#lib/notifications/notification'
import { openPayments } from '#lib/payments/payment-store.dynamo'
import { deletionKey } from '#lib/privacy/privacy.keys'
import type { ProviderEvent } from '#lib/providers/provider'
import { ban } from '#test/support/bans'
import { call } from '#test/support/call'
import { deliver } from '#test/support/callbacks'
import { handIn } from '#test/support/documents'
import { aListedHouse } from '#test/support/enquiries'
import { anAgent, aUser, aVerifiedAgent, consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { aListing, listingOf } from '#test/support/listings'
import { overtakenBy } from '#test/support/overtaken'
import { pagesOf } from '#test/support/pages'
import { aPayment, fromPlayed, played, success } from '#test/support/payments'
import { testProviders } from '#test/support/providers'
import { streamTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

const end = ({ token }: Pick<GivenUser, 'token'>, password = PASSWORD) =>
  call(deleteAccount, { token, body: { password } })
const erase = ({ id }: GivenUser, deps = {}) => streamTo(followAccounts, deletionKey(UserId.parse(id)), deps)
const pay = async ({ token }: GivenUser, headers: Record<string, string> = {}) =>
  call(createPayment, {
    token,
    headers,
    body: {
      provider: 'standard-webhooks',
      amount: 12_550,
      currency: 'EUR',
      purpose: 'deposit',
      metadata: { lease: 'Koné' },
    },
    deps: { providers: testProviders() },
  })
/** The time when a payment that nobody paid has expired. */
const nextWeek = { now: () => new Date(Date.now() + 7 * 24 * 3_600_000) }

/** Everything of a person's partition, as text. */
const keptOf = async ({ id }: GivenUser) =>
  (await testTable().query({ partition: `USER#${id}`, consistent: true })).items

describe('DELETE /auth/profile', () => {
  it('ends every session, frees the address and takes the agent out of public answers at once', async () => {
    const agent = await aVerifiedAgent()
    const listing = await aListing(agent.id)
    const other = (await call(login, { body: { email: agent.email, password: PASSWORD } })).body
    expect(await end(agent)).toMatchObject({ status: 204, text: '' })
    for (const token of [agent.token, other.accessToken]) {
      expect(await call(getProfile, { token })).toMatchObject({
        status: 401,
        body: { code: 'unauthenticated' },
      })
    }
    expect((await call(getPublicAgent, { params: { userId: agent.id } })).status).toBe(404)
    expect((await call(getListing, { params: { id: listing } })).status).toBe(404)
    expect(await call(login, { body: { email: agent.email, password: PASSWORD } })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
    const token = await consoleToken()
    expect(await call(listUsers, { token, query: { email: agent.email } })).toMatchObject({
      body: { items: [] },
    })
    expect((await call(getKycReview, { token, params: { userId: agent.id } })).status).toBe(404)
    const body = { email: agent.email, password: PASSWORD, name: 'Somebody Else' }
    expect((await call(register, { body })).status).toBe(201)
  })

  it('is refused to a request that a ban overtakes', async () => {
    const person = await aUser()
    const deps = overtakenBy(() => ban(person))
    const answer = await call(deleteAccount, { token: person.token, body: { password: PASSWORD }, deps })
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await call(login, { body: { email: person.email, password: PASSWORD } })).toMatchObject({
      status: 403,
      body: { code: 'account_banned' },
    })
  })

  it('asks for the password, and changes nothing without the right one', async () => {
    const person = await aUser()
    expect(await end(person, 'not the password')).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
    expect(await call(deleteAccount, { token: person.token })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'password' }] },
    })
    expect((await call(getProfile, { token: person.token })).status).toBe(200)
  })

  it('happens once when it is asked for twice at the same time', async () => {
    const person = await aUser()
    const answers = await Promise.all([end(person), end(person), end(person)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401])
    expect((await end(person)).status).toBe(401)
  })

  it('of an agent with all that an account may have ends it, and its erasure leaves no session behind', async () => {
    const names = { phone: '+2250711111111', displayName: 'ba be bi bo bu da de di do du' }
    const agent = await anAgent(names)
    const expiresAt = new Date(Date.now() + 1e10).toISOString()
    const decision = { userId: agent.id, kycStatus: 'VERIFIED', expiresAt }
    await call(setKycStatus, { token: await consoleToken(), body: decision })
    await handIn(agent.token)
    const [accounts, sessions, factors] = [accountStore.make(), sessionStore.make(), openFactors(testTable())]
    const id = UserId.parse(agent.id)
    const account = await accounts.get(id)
    const [session] = await sessions.many(Object.keys(account?.sessions ?? {}))
    if (!account || !session) throw new Error('There is no account')
    const at = timestamp(new Date())
    const untilSeconds = unixSeconds(new Date()) + 3600
    const others = Array.from({ length: 49 }, () => ({ ...session, id: newId('session') }))
    const mailPreferences = preferencesOf(NotificationState.parse({}))
    const formerAddresses = Array.from({ length: 10 }, () => {
      const linkId = newId('mail')
      const then = { name: null, phone: null, agent: null, mailPreferences, changedAt: at }
      return { ...then, linkId, email: `${linkId}@example.com`, untilSeconds }
    })
    const full: Account = {
      ...account,
      name: 'fa fe fi fo fu ga ge gi go gu',
      phone: '+2250722222222',
      formerAddresses,
      sessions: Object.fromEntries([session, ...others].map((each) => [each.id, untilSeconds])),
      apiKeys: Object.fromEntries(Array.from({ length: 10 }, () => [newId('apiKey'), newId('apiKey')])),
    }
    const passkeys = Array.from({ length: 10 }, () => {
      const passkey = {
        publicKey: '',
        counter: 0,
        transports: [],
        name: 'Phone',
        createdAt: at,
        lastUsedAt: null,
      }
      return { ...passkey, id: newId('passkey'), credentialId: newId('passkey') }
    })
    const none = await factors.get(id)
    await factors.commit(factors.replace(none, { ...none, passkeys }))
    await accounts.save(account, full, others.map(accounts.insertSession))
    expect(await end(agent)).toMatchObject({ status: 204 })
    await erase(agent)
    expect(await sessions.many(Object.keys(full.sessions))).toEqual([])
  })

  it('is followed by the removal of every session that the account no longer lists, whatever their number', async () => {
    const person = await aUser()
    const [accounts, sessions] = [accountStore.make(), sessionStore.make()]
    const account = await accounts.get(UserId.parse(person.id))
    const [session] = await sessions.many(Object.keys(account?.sessions ?? {}))
    if (!session) throw new Error('There is no session')
    const unlisted = Array.from({ length: 90 }, () => ({ ...session, id: newId('session') }))
    await accounts.commit(unlisted.map(accounts.insertSession))
    await end(person)
    await erase(person)
    expect(await sessions.many(unlisted.map(({ id }) => id))).toEqual([])
  })

  it('waits until no payment is open', async () => {
    const person = await aUser()
    await pay(person)
    expect(await end(person)).toMatchObject({ status: 409, body: { code: 'payments_open' } })
    expect((await call(getProfile, { token: person.token })).status).toBe(200)
  })

  it('waits until no payment on the listings of an agent is under way', async () => {
    const { agent, listing } = await aListedHouse()
    const payer = await aUser()
    const draft = {
      provider: 'played',
      amount: 450_000,
      currency: 'XOF',
      purpose: 'rent',
      listingId: listing,
    }
    const payment = await aPayment(payer, draft, played())
    const processing: ProviderEvent = {
      ...success(payment),
      eventId: `processing_${payment.id}`,
      statement: { kind: 'processing', at: timestamp(new Date()) },
    }
    for (const [event, expected] of [
      [processing, { status: 409, body: { code: 'payments_open', paymentIds: [payment.id] } }],
      [success(payment), { status: 409, body: { code: 'balance_open' } }],
    ] as const) {
      await deliver(fromPlayed(), { providers: played({ interpret: () => [event] }) })
      expect(await end(agent)).toMatchObject(expected)
    }
  })

  it('waits until a charge that was not asked for is given back', async () => {
    const person = await aUser()
    const payment = await aPayment(person, { provider: 'played' }, played())
    await call(cancelPayment, {
      token: person.token,
      params: { id: payment.id },
      deps: { providers: played() },
    })
    const chargeId = `ch_${payment.id}`
    const money = { amount: payment.amount + 1, currency: payment.currency }
    const at = timestamp(new Date())
    const statement = { kind: 'succeeded' as const, at, money, chargeId }
    const unasked = played({ interpret: () => [success(payment, { statement })] })
    await deliver(fromPlayed(), { providers: unasked })
    const refunding = played({
      startRefund: async ({ key }) => ({ state: 'pending', providerRefundId: key }),
    })
    expect(
      await call(refundPayment, {
        token: await consoleToken(),
        params: { id: payment.id },
        headers: { 'idempotency-key': payment.id },
        body: { chargeId },
        deps: { providers: refunding },
      }),
    ).toMatchObject({ status: 201, body: { status: 'PENDING' } })
    expect(await end(person)).toMatchObject({
      status: 409,
      body: { code: 'payments_open', paymentIds: [payment.id] },
    })
  })

  it('never leaves behind a payment that was started at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await aUser()
      const [payment, ended] = await Promise.all([pay(person), end(person)])
      expect([`${payment.status} ${ended.status}`]).toEqual([expect.stringMatching(/^(201 409|401 204)$/)])
    }
  })
})

describe('what follows', () => {
  it('erases documents and their bytes, and keeps decisions under the id alone', async () => {
    const agent = await aVerifiedAgent()
    await handIn(agent.token)
    const review = await call(getKycReview, { token: await consoleToken(), params: { userId: agent.id } })
    const [document] = review.body.documents
    expect((await fetch(document?.url ?? '')).status).toBe(200)
    await end(agent)
    await erase(agent)
    await erase(agent)
    expect((await fetch(document?.url ?? '')).status).toBe(404)
    const kycStore = openKycStore(testTable())
    expect(await kycStore.listDocuments(UserId.parse(agent.id))).toEqual([])
    const kept = await keptOf(agent)
    expect(kept.map(({ kind }) => kind).sort()).toEqual([
      'deletion',
      'eligibility',
      'kyc-decision',
      'kyc-links',
    ])
    expect(JSON.stringify(kept)).not.toMatch(/Koné|Immobilier|@example|\+225|argon2/)
    expect(kept.find(({ kind }) => kind === 'deletion')).toMatchObject({
      erasedAt: expect.stringMatching(/Z$/),
    })
  })

  it('archives every listing, drafts too', async () => {
    const agent = await aVerifiedAgent()
    const states: ListingStatus[] = [
      'DRAFT',
      'PENDING_REVIEW',
      'PUBLISHED',
      'REJECTED',
      'SUSPENDED',
      'ARCHIVED',
    ]
    const ids = await Promise.all(states.map((status) => aListing(agent.id, { status })))
    await end(agent)
    await erase(agent)
    const listings = await Promise.all(ids.map(listingOf))
    expect(listings.map((listing) => listing?.status)).toEqual(states.map(() => 'ARCHIVED'))
  })

  it('leaves no pending revision of a listing in the queue', async () => {
    const agent = await aVerifiedAgent()
    const submittedAt = timestamp(new Date('2020-01-01'))
    const id = await aListing(agent.id, { revision: { changes: { bedrooms: 9 }, submittedAt } })
    const token = await consoleToken()
    const queue = async () =>
      (await pagesOf<{ id: string }>(listQueuedListings, token, { limit: '100' }))
        .flat()
        .map((each) => each.id)
    expect(await queue()).toContain(id)
    await end(agent)
    await erase(agent)
    expect(await listingOf(id)).toMatchObject({ status: 'ARCHIVED', revision: null })
    expect(await queue()).not.toContain(id)
  })

  it('keeps payments without phone and metadata, and no answer that had them', async () => {
    const person = await aUser()
    const { id } = (await pay(person, { 'idempotency-key': 'once' })).body
    expect((await testTable().get(idempotencyKey(person.id, 'once')))?.['answer']).toMatchObject({
      body: expect.stringContaining('Koné'),
    })
    const body = { password: PASSWORD }
    const token = person.token
    const { accessToken } = (
      await call(login, { body: { email: person.email, password: PASSWORD }, deps: nextWeek })
    ).body
    expect(token).not.toBe(accessToken)
    expect((await call(deleteAccount, { token: accessToken, body, deps: nextWeek })).status).toBe(204)
    await erase(person)
    const payment = await openPayments(testTable()).get(PaymentId.parse(id))
    expect(payment).toMatchObject({ userId: person.id, amount: 12_550, phone: null, metadata: null })
    expect(await testTable().get(idempotencyKey(person.id, 'once'))).toBeUndefined()
  })
})
