import { beforeAll, describe, expect, it } from 'vitest'
import { spec as closeEnquiryReports } from '#functions/enquiries/close-enquiry-reports'
import { spec as listEnquiries } from '#functions/enquiries/list-enquiries'
import { spec as reportEnquiry } from '#functions/enquiries/report-enquiry'
import { spec as notifyPeople } from '#functions/jobs/notify-people'
import type { EventData, EventType } from '#lib/events/event-types'
import { timestamp } from '#lib/kernel/clock'
import { EnquiryId, ListingId, newId, UserId } from '#lib/kernel/id'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { openNotifications } from '#lib/notifications/notification-store.dynamo'
import { NOTIFICATION_NAMES, NOTIFICATIONS, type NotificationName } from '#lib/notifications/recipients'
import type { PaymentStatus } from '#lib/payments/state/payment-status'
import { call } from '#test/support/call'
import { aListedHouse, ask } from '#test/support/enquiries'
import { aProvenUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { anEvent, mailsOfEvent, notificationsOf } from '#test/support/notifications'
import { changeOf, deliveredTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

let agent: GivenUser & { id: UserId }
let customer: GivenUser & { id: UserId }
let listingId: ListingId

const inAYear = timestamp(new Date(Date.now() + 365 * 24 * 3600 * 1000))

beforeAll(async () => {
  agent = (await aVerifiedAgent()) as typeof agent
  customer = (await aProvenUser({ name: 'Kofi Mensah' })) as typeof customer
  listingId = await aListing(agent.id)
})

/** A listing that a moderator moved, and the event of it. */
async function moved(to: 'PUBLISHED' | 'REJECTED' | 'SUSPENDED', by = 'admin') {
  const id = newId('event')
  const { commit, recordMove } = openListings(testTable())
  const decision = { reasons: ['wrong_price'], message: 'Too low.', note: 'Call +2250700000000', by }
  await commit([
    recordMove(listingId, {
      id,
      field: 'status',
      from: 'PENDING_REVIEW',
      to,
      at: timestamp(new Date()),
      ...decision,
    }),
  ])
  return id
}

const payment = () => ({
  userId: customer.id,
  provider: 'sandbox',
  amount: 150_000,
  currency: 'XOF' as const,
  purpose: 'deposit' as const,
  listingId,
  agentId: agent.id,
  paymentRequestId: null,
})
const became = (from: PaymentStatus, to: PaymentStatus) => ({ ...payment(), from, to, reason: 'test' })
const refund = (refundCurrency = 'XOF') => ({
  ...payment(),
  refundId: newId('refund'),
  refundAmount: 50_000,
  refundCurrency,
  counts: true,
})
const enquiry = () => ({ listingId, customerId: customer.id, agentId: agent.id })
const request = () => ({
  ...enquiry(),
  enquiryId: newId('enquiry'),
  amount: 150_000,
  currency: 'XOF' as const,
  purpose: 'deposit' as const,
})

const payout = (to: 'PAID' | 'FAILED') => ({
  agentId: agent.id,
  from: 'PENDING' as const,
  to,
  amount: 150_000,
  currency: 'XOF',
  method: 'by_hand' as const,
  reason: 'admin',
})

const dueRequest = () => ({ ...request(), dueAt: timestamp(new Date('2026-12-24T12:00:00.000Z')) })

type Case = {
  notification: NotificationName
  event: () => Promise<object> | object
  whom: () => GivenUser
  title: string
  text: string | RegExp
  type: EventType
}

const of = <Type extends EventType>(type: Type, subject: () => string, data: () => EventData<Type>) => ({
  type,
  event: () => anEvent(type, subject(), data()),
})
const me = () => customer
const theAgent = () => agent

const CASES: Case[] = [
  {
    notification: 'secondFactorAdded',
    whom: me,
    ...of(
      'user.second_factor_changed',
      () => customer.id,
      () => ({ change: 'added' }),
    ),
    title: 'A second factor was added to your account',
    text: /^A passkey or an authenticator app was added on .* remove it and change your password at once\.$/,
  },
  {
    notification: 'secondFactorRemoved',
    whom: me,
    ...of(
      'user.second_factor_changed',
      () => customer.id,
      () => ({ change: 'removed' }),
    ),
    title: 'A second factor was removed from your account',
    text: /^A passkey or an authenticator app was removed on .* at once\.$/,
  },
  {
    notification: 'secondFactorToBeRemoved',
    whom: me,
    ...of(
      'user.second_factor_changed',
      () => customer.id,
      () => ({ change: 'to_be_removed' }),
    ),
    title: 'The second factors of your account will be removed',
    text: /it happens 24 hours later/,
  },
  {
    notification: 'secondFactorRefused',
    whom: me,
    ...of(
      'user.second_factor_refused',
      () => customer.id,
      () => ({}),
    ),
    title: 'Wrong codes at your sign-in',
    text: /^Ten wrong codes were entered by /,
  },
  {
    notification: 'apiKeyMade',
    whom: me,
    ...of(
      'user.api_key_changed',
      () => customer.id,
      () => ({ keyId: newId('apiKey'), change: 'made' }),
    ),
    title: 'An API key was made',
    text: /^A key that acts for you was made on /,
  },
  {
    notification: 'apiKeyDeleted',
    whom: me,
    ...of(
      'user.api_key_changed',
      () => customer.id,
      () => ({ keyId: newId('apiKey'), change: 'deleted' }),
    ),
    title: 'An API key was deleted',
    text: /^A key that acted for you was deleted on /,
  },
  {
    notification: 'identityVerified',
    whom: me,
    ...of(
      'kyc.status_changed',
      () => customer.id,
      () => ({ from: 'PENDING', to: 'VERIFIED', decision: 1 }),
    ),
    title: 'Your identity is verified',
    text: 'You need to do nothing more.',
  },
  {
    notification: 'identityRejected',
    whom: me,
    ...of(
      'kyc.status_changed',
      () => customer.id,
      () => ({ from: 'PENDING', to: 'REJECTED', decision: 1 }),
    ),
    title: 'Your identity could not be verified',
    text: 'Please send your documents again.',
  },
  {
    notification: 'identityExpired',
    whom: me,
    ...of(
      'kyc.status_changed',
      () => customer.id,
      () => ({ from: 'VERIFIED', to: 'EXPIRED', decision: 2 }),
    ),
    title: 'Your verification has expired',
    text: /^Please send a valid document/,
  },
  {
    notification: 'identityExpiring',
    whom: me,
    ...of(
      'kyc.expiring',
      () => customer.id,
      () => ({ expiresAt: inAYear }),
    ),
    title: 'Your verification expires soon',
    text: /^It is good until .* UTC\. Please/,
  },
  {
    notification: 'passwordChanged',
    whom: me,
    ...of(
      'user.password_changed',
      () => customer.id,
      () => ({ by: 'change', apiKeysEnded: 0 }),
    ),
    title: 'Your password was changed',
    text: /UTC/,
  },
  {
    notification: 'passwordReset',
    whom: me,
    ...of(
      'user.password_changed',
      () => customer.id,
      () => ({ by: 'reset', apiKeysEnded: 3 }),
    ),
    title: 'Your password was reset',
    text: /mailed link on .* UTC.*API keys that it ended: 3\./,
  },
  {
    notification: 'emailChanged',
    whom: me,
    ...of(
      'user.email_changed',
      () => customer.id,
      () => ({ undone: false }),
    ),
    title: 'Your e-mail address was changed',
    text: /UTC/,
  },
  {
    notification: 'emailRestored',
    whom: me,
    ...of(
      'user.email_changed',
      () => customer.id,
      () => ({ undone: true }),
    ),
    title: 'Your e-mail address was restored',
    text: /UTC/,
  },
  {
    notification: 'signedInElsewhere',
    whom: me,
    ...of(
      'user.signed_in_elsewhere',
      () => customer.id,
      () => ({ sessionId: newId('session') }),
    ),
    title: 'New sign-in to your account',
    text: /UTC/,
  },
  {
    notification: 'sessionReused',
    whom: me,
    ...of(
      'session.reused',
      () => newId('session'),
      () => ({ userId: customer.id }),
    ),
    title: 'We ended a session to protect your account',
    text: /UTC/,
  },
  ...(['PUBLISHED', 'REJECTED', 'SUSPENDED'] as const).map(
    (to): Case => ({
      notification: (
        {
          PUBLISHED: 'listingPublished',
          REJECTED: 'listingRejected',
          SUSPENDED: 'listingSuspended',
        } as const
      )[to],
      whom: theAgent,
      type: 'listing.status_changed',
      event: async () =>
        anEvent(
          'listing.status_changed',
          listingId,
          { from: 'PENDING_REVIEW', to, agentId: agent.id },
          { id: await moved(to) },
        ),
      title: {
        PUBLISHED: '“House by the lagoon” is published',
        REJECTED: '“House by the lagoon” was not accepted',
        SUSPENDED: '“House by the lagoon” was suspended',
      }[to],
      text: /\nThe price is wrong\.\nToo low\.$/,
    }),
  ),
  {
    notification: 'revisionPublished',
    whom: theAgent,
    ...of(
      'revision.decided',
      () => listingId,
      () => ({ agentId: agent.id, outcome: 'PUBLISHED' }),
    ),
    title: 'Your changes to “House by the lagoon” are published',
    text: 'Customers see them now.',
  },
  {
    notification: 'revisionRejected',
    whom: theAgent,
    ...of(
      'revision.decided',
      () => listingId,
      () => ({ agentId: agent.id, outcome: 'REJECTED' }),
    ),
    title: 'Your changes to “House by the lagoon” were not accepted',
    text: 'The listing stays published as it was.',
  },
  {
    notification: 'enquiryReceived',
    whom: theAgent,
    ...of(
      'enquiry.created',
      () => newId('enquiry'),
      () => ({ ...enquiry(), messageId: newId('message') }),
    ),
    title: 'New enquiry about “House by the lagoon”',
    text: '“Kofi Mensah” has written to you.',
  },
  {
    notification: 'enquiryAnswered',
    whom: me,
    ...of(
      'enquiry.replied',
      () => newId('enquiry'),
      () => ({
        ...enquiry(),
        messageId: newId('message'),
        from: 'agent',
      }),
    ),
    title: 'New message about “House by the lagoon”',
    text: '“Awa Immobilier” has written to you.',
  },
  {
    notification: 'visitSet',
    whom: me,
    ...of(
      'enquiry.visit_changed',
      () => newId('enquiry'),
      () => ({ ...enquiry(), visitAt: inAYear }),
    ),
    title: 'A visit to “House by the lagoon” is planned',
    text: /^“Awa Immobilier” expects you on .* UTC\.$/,
  },
  {
    notification: 'visitCancelled',
    whom: me,
    ...of(
      'enquiry.visit_changed',
      () => newId('enquiry'),
      () => ({ ...enquiry(), visitAt: null }),
    ),
    title: 'The visit to “House by the lagoon” is cancelled',
    text: /^“Awa Immobilier” has cancelled it\./,
  },
  {
    notification: 'paymentSucceeded',
    whom: me,
    ...of(
      'payment.status_changed',
      () => newId('payment'),
      () => became('PROCESSING', 'SUCCEEDED'),
    ),
    title: 'Your payment of F\u202fCFA\u00a0150,000 succeeded',
    text: /^Receipt number: R-\w{26}$/,
  },
  {
    notification: 'refundStarted',
    whom: me,
    ...of('payment.refund_started', () => newId('payment'), refund),
    title: 'A refund of F\u202fCFA\u00a050,000 has begun',
    text: /^It may take a few days/,
  },
  {
    notification: 'refundDone',
    whom: me,
    ...of(
      'payment.refunded',
      () => newId('payment'),
      () => ({ ...refund(), amountRefunded: 50_000 }),
    ),
    title: 'A refund of F\u202fCFA\u00a050,000 is done',
    text: /^The money was sent back/,
  },
  {
    notification: 'refundFailed',
    whom: me,
    ...of('payment.refund_failed', () => newId('payment'), refund),
    title: 'A refund of F\u202fCFA\u00a050,000 failed',
    text: /^We are looking into it/,
  },
  {
    notification: 'paymentDisputed',
    whom: me,
    ...of(
      'payment.status_changed',
      () => newId('payment'),
      () => became('SUCCEEDED', 'DISPUTED'),
    ),
    title: 'Your payment of F\u202fCFA\u00a0150,000 is disputed',
    text: /^Your bank/,
  },
  {
    notification: 'paymentChargedBack',
    whom: me,
    ...of(
      'payment.status_changed',
      () => newId('payment'),
      () => became('DISPUTED', 'CHARGED_BACK'),
    ),
    title: 'The dispute about your payment of F\u202fCFA\u00a0150,000 is closed',
    text: /^It was decided for you/,
  },
  {
    notification: 'paymentReceived',
    whom: theAgent,
    ...of(
      'payment.status_changed',
      () => newId('payment'),
      () => became('PENDING', 'SUCCEEDED'),
    ),
    title: 'A payment of F\u202fCFA\u00a0150,000 on “House by the lagoon”',
    text: '“Kofi Mensah” has paid.',
  },
  {
    notification: 'requestPaid',
    whom: theAgent,
    ...of(
      'payment_request.paid',
      () => newId('paymentRequest'),
      () => ({
        ...request(),
        paymentId: newId('payment'),
      }),
    ),
    title: 'Your request for F\u202fCFA\u00a0150,000 was paid',
    text: '“Kofi Mensah” has paid for “House by the lagoon”.',
  },
  {
    notification: 'payoutPaid',
    whom: theAgent,
    ...of(
      'payout.status_changed',
      () => newId('payout'),
      () => payout('PAID'),
    ),
    title: 'Your payout of F\u202fCFA\u00a0150,000 is paid',
    text: 'The money has left for your account.',
  },
  {
    notification: 'payoutFailed',
    whom: theAgent,
    ...of(
      'payout.status_changed',
      () => newId('payout'),
      () => payout('FAILED'),
    ),
    title: 'Your payout of F\u202fCFA\u00a0150,000 failed',
    text: 'The money is back in your balance. Please check your payout account.',
  },
  {
    notification: 'payoutAccountChanged',
    whom: theAgent,
    ...of(
      'user.payout_account_changed',
      () => agent.id,
      () => ({}),
    ),
    title: 'Your payout account was changed',
    text: /^It was changed on .* If it was not you, change your password at once/,
  },
  {
    notification: 'receivedRefunded',
    whom: theAgent,
    ...of(
      'payment.refunded',
      () => newId('payment'),
      () => ({ ...refund(), amountRefunded: 50_000 }),
    ),
    title: 'A refund of F\u202fCFA\u00a050,000 on “House by the lagoon”',
    text: /^This money went back/,
  },
  {
    notification: 'receivedDisputed',
    whom: theAgent,
    ...of(
      'payment.status_changed',
      () => newId('payment'),
      () => became('SUCCEEDED', 'DISPUTED'),
    ),
    title: 'A payment on “House by the lagoon” is disputed',
    text: /150,000/,
  },
  {
    notification: 'receivedChargedBack',
    whom: theAgent,
    ...of(
      'payment.status_changed',
      () => newId('payment'),
      () => became('DISPUTED', 'CHARGED_BACK'),
    ),
    title: 'A payment on “House by the lagoon” was charged back',
    text: /150,000/,
  },
  {
    notification: 'paymentRequested',
    whom: me,
    ...of('payment_request.created', () => newId('paymentRequest'), request),
    title: 'You are asked to pay F\u202fCFA\u00a0150,000',
    text: '“Awa Immobilier” asks for this payment for “House by the lagoon”.',
  },
  {
    notification: 'paymentRequestDue',
    whom: me,
    ...of('payment_request.due', () => newId('paymentRequest'), dueRequest),
    title: 'A payment of F\u202fCFA\u00a0150,000 is due',
    text: /“Awa Immobilier” asks for this payment for “House by the lagoon” by .*2026.*UTC/,
  },
  {
    notification: 'paymentRequestOverdue',
    whom: me,
    ...of('payment_request.overdue', () => newId('paymentRequest'), dueRequest),
    title: 'A payment of F\u202fCFA\u00a0150,000 is overdue',
    text: /still waits for this payment/,
  },
  {
    notification: 'searchMatched',
    whom: me,
    ...of(
      'saved_search.matched',
      () => newId('savedSearch'),
      () => ({ userId: customer.id, count: 1, listingIds: [listingId] }),
    ),
    title: 'New listings for “a saved search”',
    text: 'Number found: 1\n“House by the lagoon”',
  },
]

describe('each notification', () => {
  it.each(CASES)(
    '$notification reaches its person once, and by mail',
    async ({ event, whom, title, text, type, notification }) => {
      const happened = await event()
      const mails = await mailsOfEvent(happened, 2)
      const mine = mails.filter(({ to }) => to === whom().email)
      expect(mine.map(({ subject }) => subject)).toEqual([title])
      const { items } = await notificationsOf(whom().token)
      const notifications = items.filter((item) => item.title === title)
      expect(notifications[0]).toMatchObject({
        type,
        text: typeof text === 'string' ? text : expect.stringMatching(text),
      })
      const isAlways = NOTIFICATIONS[notification].mailed === 'always'
      expect('List-Unsubscribe' in (mine[0]?.headers ?? {})).toBe(!isAlways)
    },
  )
})

describe('an event that does not name its people', () => {
  it('a listing that was taken notifies the customers whose enquiries it closed', async () => {
    const { agent: owner, listing } = await aListedHouse()
    const [asking, answered] = [await aProvenUser(), await aProvenUser()]
    for (const someone of [asking, answered]) await ask(someone, listing)
    const event = anEvent('listing.availability_changed', listing, {
      from: 'AVAILABLE',
      to: 'TAKEN',
      agentId: UserId.parse(owner.id),
    })
    const mails = await mailsOfEvent(event, 2)
    expect(mails.map(({ to }) => to).sort()).toEqual([asking.email, answered.email].sort())
    const { items } = await notificationsOf(asking.token)
    expect(items).toMatchObject([{ title: '“House by the lagoon” is no longer available', subject: listing }])
    expect(await call(listEnquiries, { token: asking.token })).toMatchObject({
      body: { items: [{ status: 'CLOSED' }] },
    })
    expect(
      await mailsOfEvent(
        anEvent('listing.availability_changed', listing, {
          from: 'TAKEN',
          to: 'PAUSED',
          agentId: UserId.parse(owner.id),
        }),
      ),
    ).toEqual([])
  })

  it('a listing that was taken notifies every customer, although one cannot be notified yet', async () => {
    const { agent: owner, listing } = await aListedHouse()
    const customers = [await aProvenUser(), await aProvenUser(), await aProvenUser()]
    for (const someone of customers) await ask(someone, listing)
    const taken = anEvent('listing.availability_changed', listing, {
      from: 'AVAILABLE',
      to: 'TAKEN',
      agentId: UserId.parse(owner.id),
    })
    const store = openNotifications(testTable())
    let failing: UserId | undefined
    const notifications = {
      ...store,
      state: async (userId: UserId) => {
        failing ??= userId
        if (userId === failing) throw new Error('The table does not answer')
        return store.state(userId)
      },
    }
    const delivered = deliveredTo(notifyPeople, [changeOf(undefined, taken)], { notifications })
    await expect(delivered).rejects.toThrow('does not answer')
    for (const { token } of customers.filter(({ id }) => id !== failing)) {
      expect((await notificationsOf(token)).items).toHaveLength(1)
    }

    await deliveredTo(notifyPeople, [changeOf(undefined, taken)])
    for (const { token } of customers) expect((await notificationsOf(token)).items).toHaveLength(1)
  })

  it('reports that were acted on notify their reporters without a mail', async () => {
    const { listing } = await aListedHouse()
    const asking = await aProvenUser()
    const { body } = await ask(asking, listing)
    const id = EnquiryId.parse(body.id)
    await call(reportEnquiry, { params: { id }, token: asking.token, body: { reason: 'spam' } })
    const token = await consoleToken()
    const upTo = timestamp(new Date(Date.now() + 1000))
    const closed = await call(closeEnquiryReports, {
      params: { id },
      token,
      body: { outcome: 'ACTED', upTo },
    })
    expect(closed).toMatchObject({ status: 200 })
    const { at } = closed.body
    const event = (outcome: 'ACTED' | 'DISMISSED') =>
      anEvent('reports.closed', id, { outcome, count: 1 }, { at: new Date(at) })
    expect(await mailsOfEvent(event('DISMISSED'))).toEqual([])
    expect((await notificationsOf(asking.token)).items).toEqual([])
    expect(await mailsOfEvent(event('ACTED'))).toEqual([])
    expect((await notificationsOf(asking.token)).items).toMatchObject([
      { title: 'Thank you for your report', subject: id },
    ])
  })

  it('a move that the service made automatically notifies no one', async () => {
    const { agent: owner, listing } = await aListedHouse()
    const id = newId('event')
    const { commit, recordMove } = openListings(testTable())
    const motive = { reasons: ['owner_not_verified'], message: null, note: null, by: 'system' }
    const move = { field: 'status', from: 'PUBLISHED', to: 'SUSPENDED', ...motive } as const
    await commit([recordMove(ListingId.parse(listing), { id, at: timestamp(new Date()), ...move })])
    const data = { from: 'PUBLISHED', to: 'SUSPENDED', agentId: UserId.parse(owner.id) } as const
    expect(await mailsOfEvent(anEvent('listing.status_changed', listing, data, { id }))).toEqual([])
    expect((await notificationsOf(owner.token)).items).toEqual([])
  })

  it('money that is back after a dispute is no new payment', async () => {
    const before = (await notificationsOf(customer.token)).items.length
    const event = anEvent('payment.status_changed', newId('payment'), became('DISPUTED', 'SUCCEEDED'))
    expect(await mailsOfEvent(event)).toEqual([])
    expect((await notificationsOf(customer.token)).items).toHaveLength(before)
  })
})

it('A refund of money that came in another currency than its payment’s is named in the currency of that money.', async () => {
  const data = { ...refund('USD'), counts: false, amountRefunded: 0 }
  const mails = await mailsOfEvent(anEvent('payment.refunded', newId('payment'), data), 2)
  // The agent never had that money.
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    [customer.email, 'A refund of $500.00 is done'],
  ])
})

it('every notification has a test', () => {
  // Favourites have tests of their own.
  const others = [
    'listingTaken',
    'listingReportActed',
    'enquiryReportActed',
    'favouriteReduced',
    'favouriteTaken',
    'favouriteGone',
  ]
  expect(NOTIFICATION_NAMES.toSorted()).toEqual(
    [...CASES.map(({ notification }) => notification), ...others].sort(),
  )
})
