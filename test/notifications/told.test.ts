import { beforeAll, describe, expect, it } from 'vitest'
import { spec as closeEnquiryReports } from '#functions/enquiries/close-enquiry-reports'
import { spec as listEnquiries } from '#functions/enquiries/list-enquiries'
import { spec as reportEnquiry } from '#functions/enquiries/report-enquiry'
import { openTable } from '#lib/dynamo/table'
import type { EventType } from '#lib/events/event-types'
import { timestamp } from '#lib/kernel/clock'
import { EnquiryId, type ListingId, newId, UserId } from '#lib/kernel/id'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { TOLD } from '#lib/notifications/told'
import { call } from '#test/support/call'
import { aListedHouse, ask } from '#test/support/enquiries'
import { aProvenUser, aVerifiedAgent, consoleToken, type GivenUser } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { anEvent, noticesOf, told } from '#test/support/notices'

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
  const { commit, recordMove } = openListings(openTable(process.env['TABLE_NAME'] ?? ''))
  const decision = { reasons: ['wrong_price'], message: 'Too low.', note: 'Call +2250700000000', by }
  await commit([
    recordMove(listingId, {
      id,
      from: 'PENDING_REVIEW',
      to,
      at: timestamp(new Date()),
      ...decision,
    } as never),
  ])
  return id
}

const payment = () => ({
  userId: customer.id,
  provider: 'sandbox',
  amount: 150_000,
  currency: 'XOF',
  purpose: 'deposit',
  listingId,
  agentId: agent.id,
  paymentRequestId: null,
})
const became = (from: string, to: string) => ({ ...payment(), from, to, reason: 'test' })
const refund = () => ({ ...payment(), refundId: newId('refund'), refundAmount: 50_000 })
const enquiry = () => ({ listingId, customerId: customer.id, agentId: agent.id })
const request = () => ({
  ...enquiry(),
  enquiryId: newId('enquiry'),
  amount: 150_000,
  currency: 'XOF',
  purpose: 'deposit',
})

type Case = {
  notice: string
  event: () => Promise<object> | object
  whom: () => GivenUser
  title: string
  text: string | RegExp
  type: EventType
}

const of = (type: EventType, subject: () => string, data: () => object) => ({
  type,
  event: () => anEvent(type, subject(), data() as never),
})
const me = () => customer
const theAgent = () => agent

const CASES: Case[] = [
  {
    notice: 'identityVerified',
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
    notice: 'identityRejected',
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
    notice: 'identityExpired',
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
    notice: 'identityExpiring',
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
    notice: 'passwordChanged',
    whom: me,
    ...of(
      'user.password_changed',
      () => customer.id,
      () => ({ by: 'change' }),
    ),
    title: 'Your password was changed',
    text: /UTC/,
  },
  {
    notice: 'passwordReset',
    whom: me,
    ...of(
      'user.password_changed',
      () => customer.id,
      () => ({ by: 'reset' }),
    ),
    title: 'Your password was reset',
    text: /mailed link on .* UTC/,
  },
  {
    notice: 'emailChanged',
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
    notice: 'emailRestored',
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
    notice: 'signedInElsewhere',
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
    notice: 'sessionReused',
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
      notice: { PUBLISHED: 'listingPublished', REJECTED: 'listingRejected', SUSPENDED: 'listingSuspended' }[
        to
      ],
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
    notice: 'revisionPublished',
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
    notice: 'revisionRejected',
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
    notice: 'enquiryReceived',
    whom: theAgent,
    ...of(
      'enquiry.created',
      () => newId('enquiry'),
      () => ({ ...enquiry(), messageId: newId('message') }),
    ),
    title: 'New enquiry about “House by the lagoon”',
    text: 'Kofi Mensah has written to you.',
  },
  {
    notice: 'enquiryAnswered',
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
    text: 'Awa Immobilier has written to you.',
  },
  {
    notice: 'visitSet',
    whom: me,
    ...of(
      'enquiry.visit_changed',
      () => newId('enquiry'),
      () => ({ ...enquiry(), visitAt: inAYear }),
    ),
    title: 'A visit to “House by the lagoon” is planned',
    text: /^Awa Immobilier expects you on .* UTC\.$/,
  },
  {
    notice: 'visitCancelled',
    whom: me,
    ...of(
      'enquiry.visit_changed',
      () => newId('enquiry'),
      () => ({ ...enquiry(), visitAt: null }),
    ),
    title: 'The visit to “House by the lagoon” is cancelled',
    text: /^Awa Immobilier has cancelled it\./,
  },
  {
    notice: 'paymentSucceeded',
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
    notice: 'refundStarted',
    whom: me,
    ...of('payment.refund_started', () => newId('payment'), refund),
    title: 'A refund of F\u202fCFA\u00a050,000 has begun',
    text: /^It may take a few days/,
  },
  {
    notice: 'refundDone',
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
    notice: 'refundFailed',
    whom: me,
    ...of('payment.refund_failed', () => newId('payment'), refund),
    title: 'A refund of F\u202fCFA\u00a050,000 failed',
    text: /^We are looking into it/,
  },
  {
    notice: 'paymentDisputed',
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
    notice: 'paymentChargedBack',
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
    notice: 'paymentReceived',
    whom: theAgent,
    ...of(
      'payment.status_changed',
      () => newId('payment'),
      () => became('PENDING', 'SUCCEEDED'),
    ),
    title: 'A payment of F\u202fCFA\u00a0150,000 on “House by the lagoon”',
    text: 'Kofi Mensah has paid.',
  },
  {
    notice: 'requestPaid',
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
    text: 'Kofi Mensah has paid for “House by the lagoon”.',
  },
  {
    notice: 'receivedRefunded',
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
    notice: 'receivedDisputed',
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
    notice: 'receivedChargedBack',
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
    notice: 'paymentRequested',
    whom: me,
    ...of('payment_request.created', () => newId('paymentRequest'), request),
    title: 'You are asked to pay F\u202fCFA\u00a0150,000',
    text: 'Awa Immobilier asks for this payment for “House by the lagoon”.',
  },
]

describe('each row of the table', () => {
  it.each(CASES)(
    '$notice reaches its person once, and by mail',
    async ({ event, whom, title, text, type, notice }) => {
      const happened = await event()
      const mails = await told(happened, 2)
      const mine = mails.filter(({ to }) => to === whom().email)
      expect(mine.map(({ subject }) => subject)).toEqual([title])
      const { items } = await noticesOf(whom().token)
      const notices = items.filter((item) => item.title === title)
      expect(notices[0]).toMatchObject({
        type,
        text: typeof text === 'string' ? text : expect.stringMatching(text),
      })
      const isAlways = TOLD.find((row) => row.notice === notice)?.mailed === 'always'
      expect('List-Unsubscribe' in (mine[0]?.headers ?? {})).toBe(!isAlways)
    },
  )
})

describe('an event that does not name its people', () => {
  it('of a listing that was taken reaches the customers whose enquiries it closed', async () => {
    const { agent: owner, listing } = await aListedHouse()
    const [asking, answered] = [await aProvenUser(), await aProvenUser()]
    for (const someone of [asking, answered]) await ask(someone, listing)
    const event = anEvent('listing.availability_changed', listing, {
      from: 'AVAILABLE',
      to: 'TAKEN',
      agentId: UserId.parse(owner.id),
    })
    const mails = await told(event, 2)
    expect(mails.map(({ to }) => to).sort()).toEqual([asking.email, answered.email].sort())
    const { items } = await noticesOf(asking.token)
    expect(items).toMatchObject([{ title: '“House by the lagoon” is no longer available', subject: listing }])
    expect(await call(listEnquiries, { token: asking.token })).toMatchObject({
      body: { items: [{ status: 'CLOSED' }] },
    })
    expect(
      await told(
        anEvent('listing.availability_changed', listing, {
          from: 'TAKEN',
          to: 'PAUSED',
          agentId: UserId.parse(owner.id),
        }),
      ),
    ).toEqual([])
  })

  it('of reports of an enquiry that were acted on reaches who made them, without a mail', async () => {
    const { listing } = await aListedHouse()
    const asking = await aProvenUser()
    const { body } = await ask(asking, listing)
    const id = EnquiryId.parse((body as { id: string }).id)
    await call(reportEnquiry, { params: { id }, token: asking.token, body: { reason: 'spam' } })
    const token = await consoleToken()
    const upTo = timestamp(new Date(Date.now() + 1000))
    const closed = await call(closeEnquiryReports, {
      params: { id },
      token,
      body: { outcome: 'ACTED', upTo },
    })
    expect(closed).toMatchObject({ status: 200 })
    const { at } = closed.body as { at: string }
    const event = (outcome: 'ACTED' | 'DISMISSED') =>
      anEvent('reports.closed', id, { outcome, count: 1 }, { at: new Date(at) })
    expect(await told(event('DISMISSED'))).toEqual([])
    expect((await noticesOf(asking.token)).items).toEqual([])
    expect(await told(event('ACTED'))).toEqual([])
    expect((await noticesOf(asking.token)).items).toMatchObject([
      { title: 'Thank you for your report', subject: id },
    ])
  })

  it('of a move that the service made by itself tells nobody', async () => {
    const { agent: owner, listing } = await aListedHouse()
    const id = newId('event')
    const { commit, recordMove } = openListings(openTable(process.env['TABLE_NAME'] ?? ''))
    const motive = { reasons: ['owner_not_verified'], message: null, note: null, by: 'system' }
    const move = {
      id,
      field: 'status',
      from: 'PUBLISHED',
      to: 'SUSPENDED',
      at: timestamp(new Date()),
      ...motive,
    }
    await commit([recordMove(listing as ListingId, move as never)])
    const data = { from: 'PUBLISHED', to: 'SUSPENDED', agentId: UserId.parse(owner.id) }
    expect(await told(anEvent('listing.status_changed', listing, data, { id }))).toEqual([])
    expect((await noticesOf(owner.token)).items).toEqual([])
  })

  it('of money that is back after a dispute is no new payment', async () => {
    const before = (await noticesOf(customer.token)).items.length
    const event = anEvent(
      'payment.status_changed',
      newId('payment'),
      became('DISPUTED', 'SUCCEEDED') as never,
    )
    expect(await told(event)).toEqual([])
    expect((await noticesOf(customer.token)).items).toHaveLength(before)
  })
})

it('every row has a test', () => {
  const others = ['listingTaken', 'listingReportActed', 'enquiryReportActed']
  expect(TOLD.map(({ notice }) => notice).sort()).toEqual(
    [...CASES.map(({ notice }) => notice), ...others].sort(),
  )
})
