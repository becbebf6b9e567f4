import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { spec as getAgentProfile } from '#functions/accounts/get-agent-profile'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { KycReason } from '#lib/accounts/kyc-state'
import { newId, type UserId } from '#lib/kernel/id'
import { decisionQuery } from '#lib/kyc/kyc.keys'
import { type Call, call, problemOf } from '#test/support/call'
import { eventsOf } from '#test/support/events'
import { anAgent, aUser, consoleToken, type GivenUser } from '#test/support/given'
import { testTable } from '#test/support/test-table'

const STATUSES = ['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED', 'EXPIRED'] as const
type Status = (typeof STATUSES)[number]

/** The contract's table, section 4. */
const ALLOWED: Record<Status, readonly Status[]> = {
  UNVERIFIED: ['PENDING', 'VERIFIED', 'REJECTED'],
  PENDING: ['VERIFIED', 'REJECTED', 'UNVERIFIED'],
  VERIFIED: ['PENDING', 'REJECTED', 'EXPIRED'],
  REJECTED: ['PENDING', 'VERIFIED'],
  EXPIRED: ['PENDING', 'VERIFIED', 'REJECTED'],
}

/** How a new user comes to a status. */
const WAY: Record<Status, readonly Status[]> = {
  UNVERIFIED: [],
  PENDING: ['PENDING'],
  VERIFIED: ['VERIFIED'],
  REJECTED: ['REJECTED'],
  EXPIRED: ['VERIFIED', 'EXPIRED'],
}

let admin: string
let user: GivenUser

beforeAll(async () => {
  admin = await consoleToken({ sub: 'grace' })
})

beforeEach(async () => {
  user = await aUser()
})

const decide = (body: Record<string, unknown>, more: Call = {}) =>
  call(setKycStatus, { token: admin, body: { userId: user.id, ...body }, ...more })

async function bringTo(status: Status): Promise<void> {
  for (const kycStatus of WAY[status]) expect(await decide({ kycStatus })).toMatchObject({ status: 200 })
}

const profile = async () => (await call(getProfile, { token: user.token })).body

/** Every decision that is recorded about the user. */
const decisions = async () => (await testTable().query(decisionQuery(user.id as UserId))).items

const at = (iso: string) => () => new Date(iso)
const inAYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString()

describe('200', () => {
  it('answers the decision, and the user sees its status at once', async () => {
    const expiresAt = inAYear()
    const { status, body, headers } = await decide({
      kycStatus: 'VERIFIED',
      reasons: ['other'],
      message: ' Welcome ',
      note: 'Seen in person',
      expiresAt,
      decidedBy: 'somebody else',
      decidedAt: '2001-01-01T00:00:00.000Z',
      previousStatus: 'REJECTED',
      decisions: 99,
    })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        userId: user.id,
        kycStatus: 'VERIFIED',
        previousStatus: 'UNVERIFIED',
        reasons: ['other'],
        message: 'Welcome',
        note: 'Seen in person',
        expiresAt,
        decidedBy: 'grace',
        decidedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    })
    expect(headers['cache-control']).toBe('no-store')
    expect(await profile()).toMatchObject({ kycStatus: 'VERIFIED' })
  })

  it('takes the two fields alone: what is left out is null', async () => {
    const { body } = await decide({ kycStatus: 'PENDING' })
    expect(body).toMatchObject({ reasons: [], message: null, note: null, expiresAt: null })
  })

  it('takes null for what is optional', async () => {
    const { status, body } = await decide({
      kycStatus: 'REJECTED',
      reasons: null,
      message: null,
      note: null,
      expiresAt: null,
    })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { reasons: [], message: null, note: null, expiresAt: null },
    })
  })

  it('needs no reason to reject, and takes every reason there is', async () => {
    expect(await decide({ kycStatus: 'REJECTED' })).toMatchObject({ status: 200 })
    expect(await decide({ kycStatus: 'REJECTED', reasons: KycReason.options })).toMatchObject({
      status: 200,
      body: { reasons: KycReason.options, previousStatus: 'REJECTED' },
    })
  })

  it('counts a reason given twice once', async () => {
    expect(await decide({ kycStatus: 'REJECTED', reasons: ['underage', 'underage'] })).toMatchObject({
      body: { reasons: ['underage'] },
    })
  })

  it('shows neither note nor decider to the user', async () => {
    user = await anAgent()
    await decide({ kycStatus: 'REJECTED', note: 'A very private note', message: 'A message' })
    const seen = [
      await call(getProfile, { token: user.token }),
      await call(getAgentProfile, { token: user.token }),
    ]
    for (const { text } of seen) expect(text).not.toMatch(/private note|grace|A message/)
  })
})

describe('a status that is there already', () => {
  it('the same status with the same fields records nothing, however often it comes', async () => {
    const decision = { kycStatus: 'REJECTED', reasons: ['underage', 'other'], message: 'No', note: 'n' }
    const first = await decide(decision)
    const again = await decide(
      { ...decision, reasons: ['other', 'underage', 'other'] },
      { token: await consoleToken({ sub: 'ada' }) },
    )
    expect(again).toMatchObject({ status: 200 })
    expect(again.body).toEqual(first.body)
    expect(await decisions()).toHaveLength(1)
  })

  it.each([
    ['another message', { message: 'Other words' }],
    ['no message', { message: null }],
    ['another note', { note: 'Other words' }],
    ['another reason', { reasons: ['other'] }],
    ['a reason more', { reasons: ['underage', 'other'] }],
    ['no reason', { reasons: [] }],
  ])('with %s is a new decision', async (_what, change) => {
    const decision = { kycStatus: 'REJECTED', reasons: ['underage'], message: 'No', note: 'n' }
    await decide(decision)
    expect(await decide({ ...decision, ...change })).toMatchObject({
      status: 200,
      body: { kycStatus: 'REJECTED', previousStatus: 'REJECTED' },
    })
    expect(await decisions()).toHaveLength(2)
  })

  it('the same status of a user without a decision is answered without one', async () => {
    const { status, body } = await decide({ kycStatus: 'UNVERIFIED' })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        userId: user.id,
        kycStatus: 'UNVERIFIED',
        previousStatus: 'UNVERIFIED',
        reasons: [],
        message: null,
        note: null,
        expiresAt: null,
        decidedBy: null,
        decidedAt: null,
      },
    })
    expect(await decisions()).toEqual([])
  })
})

const MOVES = STATUSES.flatMap((from) => STATUSES.filter((to) => to !== from).map((to) => ({ from, to })))

describe('every move', () => {
  it.each(MOVES)('from $from to $to is as the contract has it', async ({ from, to }) => {
    await bringTo(from)
    const recorded = await decisions()
    const { status, body } = await decide({ kycStatus: to })
    if (ALLOWED[from].includes(to)) {
      expect({ status, body }).toMatchObject({ status: 200, body: { kycStatus: to, previousStatus: from } })
      expect(await decisions()).toHaveLength(recorded.length + 1)
      expect(await profile()).toMatchObject({ kycStatus: to })
      return
    }
    expect({ status, body }).toEqual({
      status: 409,
      body: {
        type: 'https://api.platform.test/docs#kyc_transition_not_allowed',
        title: 'The KYC status cannot change this way',
        status: 409,
        code: 'kyc_transition_not_allowed',
        detail: `${from} cannot become ${to}`,
        requestId: expect.any(String),
        from,
        to,
        allowed: ALLOWED[from],
      },
    })
    expect(await decisions()).toEqual(recorded)
    expect(await profile()).toMatchObject({ kycStatus: from })
  })
})

describe('expiresAt', () => {
  it('within 14 days announces kyc.expiring once, also when the same end is decided again with another note', async () => {
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString()
    await decide({ kycStatus: 'VERIFIED', expiresAt })
    expect(await decide({ kycStatus: 'VERIFIED', expiresAt, note: 'Called' })).toMatchObject({ status: 200 })
    expect(await eventsOf(user.id, 'kyc.expiring')).toHaveLength(1)
  })

  it('within 14 days announces kyc.expiring once, also when the same end is decided again after others', async () => {
    const ends = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const [first, second] = [ends(5), ends(6)]
    const announced = async () =>
      (await eventsOf(user.id, 'kyc.expiring')).map(({ data }) => (data as { expiresAt: string }).expiresAt)
    await decide({ kycStatus: 'VERIFIED', expiresAt: first })
    await decide({ kycStatus: 'PENDING' })
    await decide({ kycStatus: 'VERIFIED', expiresAt: first })
    expect(await announced()).toEqual([first])
    await decide({ kycStatus: 'VERIFIED', expiresAt: second })
    await decide({ kycStatus: 'VERIFIED', expiresAt: first })
    expect((await announced()).sort()).toEqual([first, second])
  })

  it('ends the verification for every reader when it passes', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    await decide({ kycStatus: 'VERIFIED', expiresAt })
    const seen = async (now: string) =>
      (await call(getProfile, { token: user.token, deps: { now: at(now) } })).body['kycStatus']
    const before = new Date(Date.parse(expiresAt) - 1).toISOString()
    expect(await seen(before)).toBe('VERIFIED')
    expect(await seen(expiresAt)).toBe('EXPIRED')
  })

  it('is followed by the moves of an expired verification', async () => {
    await decide({ kycStatus: 'VERIFIED', expiresAt: new Date(Date.now() + 60_000).toISOString() })
    const later = { deps: { now: () => new Date(Date.now() + 120_000) } }
    expect(await decide({ kycStatus: 'UNVERIFIED' }, later)).toMatchObject({
      status: 409,
      body: { from: 'EXPIRED', to: 'UNVERIFIED', allowed: ALLOWED.EXPIRED },
    })
    expect(await decide({ kycStatus: 'REJECTED' }, later)).toMatchObject({
      status: 200,
      body: { previousStatus: 'EXPIRED' },
    })
  })

  it('may be moved while the verification stands', async () => {
    await decide({ kycStatus: 'VERIFIED', expiresAt: inAYear() })
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    expect(await decide({ kycStatus: 'VERIFIED', expiresAt })).toMatchObject({
      status: 200,
      body: { expiresAt, previousStatus: 'VERIFIED' },
    })
    expect(await decide({ kycStatus: 'VERIFIED' })).toMatchObject({ status: 200, body: { expiresAt: null } })
  })

  it('is answered in UTC whatever offset it came with', async () => {
    expect(await decide({ kycStatus: 'VERIFIED', expiresAt: '2999-12-31T23:30:00.5+01:00' })).toMatchObject({
      status: 200,
      body: { expiresAt: '2999-12-31T22:30:00.500Z' },
    })
  })

  it('at the end of time leaves the user readable', async () => {
    await decide({ kycStatus: 'VERIFIED', expiresAt: '9999-12-31T23:59:59.999Z' })
    expect(await profile()).toMatchObject({ kycStatus: 'VERIFIED' })
  })

  it.each([
    ['beyond the year 9999', '9999-12-31T23:59:59-01:00', 'must be before the year 10000'],
    ['in the past', '2020-01-01T00:00:00.000Z', 'must be in the future'],
    ['this very moment', 'now', 'must be in the future'],
    ['a date alone', '2999-12-31'],
    ['without an offset', '2999-12-31T00:00:00'],
    ['on a day that is none', '2999-02-30T00:00:00Z'],
    ['at an hour that is none', '2999-02-20T25:00:00Z'],
    ['in words', 'tomorrow'],
    ['empty', ''],
    ['a number', 32_503_680_000_000],
    ['a list', ['2999-12-31T00:00:00Z']],
    ['a year of six digits', '+012999-12-31T00:00:00Z'],
  ])('is refused %s', async (_what, expiresAt, message = expect.any(String)) => {
    const now = '2026-11-20T12:00:00.000Z'
    const body = { kycStatus: 'VERIFIED', expiresAt: expiresAt === 'now' ? now : expiresAt }
    const deps =
      expiresAt === 'now'
        ? { deps: { now: at(now) }, token: await consoleToken({ exp: Date.parse(now) / 1000 + 600 }) }
        : {}
    expect(await decide(body, deps)).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: 'expiresAt', message }] },
    })
    expect(await profile()).toMatchObject({ kycStatus: 'UNVERIFIED' })
  })

  it.each(STATUSES.filter((status) => status !== 'VERIFIED'))('is refused with %s', async (kycStatus) => {
    expect(await decide({ kycStatus, expiresAt: inAYear() })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'expiresAt', message: 'is only for VERIFIED' }] },
    })
  })
})

describe('400', () => {
  it('names both fields that must be there', async () => {
    const { status, body } = await call(setKycStatus, { token: admin, body: {} })
    expect({ status, body }).toEqual({
      status: 400,
      body: {
        type: 'https://api.platform.test/docs#validation_failed',
        title: 'The request is not valid',
        status: 400,
        code: 'validation_failed',
        detail: 'userId is required; kycStatus is required',
        requestId: expect.any(String),
        errors: [
          { path: 'userId', code: 'required', message: 'is required' },
          { path: 'kycStatus', code: 'required', message: 'is required' },
        ],
      },
    })
  })

  it.each([
    ['kycStatus', 'APPROVED'],
    ['kycStatus', 'verified'],
    ['kycStatus', ' VERIFIED'],
    ['kycStatus', ''],
    ['kycStatus', null],
    ['kycStatus', 1],
    ['kycStatus', ['VERIFIED']],
    ['kycStatus', { VERIFIED: true }],
    ['userId', null],
    ['userId', 7],
    ['userId', ''],
    ['userId', ['usr_1']],
    ['userId', {}],
    ['reasons', 'underage'],
    ['reasons', ['too young']],
    ['reasons', [null]],
    ['reasons', {}],
    ['message', ''],
    ['message', '   '],
    ['message', 7],
    ['message', 'x'.repeat(1_001)],
    ['message', '🏠'.repeat(1_001)],
    ['message', 'a\u0007b'],
    ['message', 'half \ud800 a character'],
    ['note', ['a']],
    ['note', 'x'.repeat(1_001)],
    ['note', '\u0000'],
  ])('refuses %s %j', async (field, value) => {
    const answer = await decide({ kycStatus: 'REJECTED', [field]: value })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    const [first] = problemOf(answer, 'validation_failed').errors
    expect(first?.path.split(/[.[]/)[0]).toBe(field)
    expect(await profile()).toMatchObject({ kycStatus: 'UNVERIFIED' })
  })

  it('says what the set of statuses is', async () => {
    const { body } = await decide({ kycStatus: 'APPROVED' })
    expect(body).toMatchObject({
      errors: [
        { path: 'kycStatus', code: 'invalid_value', message: `must be one of ${STATUSES.join(', ')}` },
      ],
    })
  })

  it('takes texts up to their bounds', async () => {
    const [message, note] = ['🏠'.repeat(1_000), 'é\n\t'.repeat(333)]
    expect(await decide({ kycStatus: 'REJECTED', message, note })).toMatchObject({
      status: 200,
      body: { message, note: note.trim() },
    })
  })
})

describe('404', () => {
  it.each([
    ['an unknown user', newId('user')],
    ['an id of another kind', newId('listing')],
    ['a word', 'nobody'],
    ['an id in small letters', 'usr_01kah3m6xq8zj4t2v7w9c5rbnd'],
    ['a key', 'USER#1'],
    ['a name that every object has', '__proto__'],
  ])('answers %s', async (_what, userId) => {
    const { status, body } = await decide({ userId, kycStatus: 'VERIFIED' })
    expect({ status, body }).toMatchObject({
      status: 404,
      body: { code: 'not_found', detail: 'There is no such user' },
    })
  })

  it('comes after the validation of everything else', async () => {
    expect(await decide({ userId: newId('user'), kycStatus: 'APPROVED' })).toMatchObject({ status: 400 })
    expect(await decide({ userId: newId('user'), kycStatus: 'PENDING', expiresAt: inAYear() })).toMatchObject(
      { status: 400 },
    )
  })
})

describe('the record of decisions', () => {
  it('keeps who, when, from where to where, and why; never what was refused', async () => {
    await decide({
      kycStatus: 'REJECTED',
      reasons: ['underage'],
      message: 'Too young',
      note: 'By the passport',
    })
    await decide({ kycStatus: 'UNVERIFIED' })
    await decide({ kycStatus: 'VERIFIED' }, { token: await consoleToken({ sub: 'ada' }) })
    const [first, second, ...more] = await decisions()
    expect(more).toEqual([])
    expect(first).toMatchObject({
      status: 'REJECTED',
      previousStatus: 'UNVERIFIED',
      reasons: ['underage'],
      message: 'Too young',
      note: 'By the passport',
      decidedBy: 'grace',
    })
    expect(second).toMatchObject({
      status: 'VERIFIED',
      previousStatus: 'REJECTED',
      decidedBy: 'ada',
      note: null,
    })
  })

  it('has one line for each of many decisions at once, each from where the one before it led', async () => {
    const targets = ['PENDING', 'VERIFIED', 'REJECTED', 'PENDING', 'VERIFIED', 'REJECTED']
    const answers = await Promise.all(targets.map((kycStatus) => decide({ kycStatus })))
    expect(answers.map(({ status }) => status).filter((status) => ![200, 409, 503].includes(status))).toEqual(
      [],
    )
    const recorded = (await decisions()).sort(
      (a, b) => Number(a['decisionCount']) - Number(b['decisionCount']),
    )
    expect(recorded.length).toBeGreaterThan(0)
    expect(recorded.map((decision) => decision['decisionCount'])).toEqual(
      recorded.map((_, index) => index + 1),
    )
    let before = 'UNVERIFIED'
    for (const { previousStatus, status } of recorded) {
      expect(previousStatus).toBe(before)
      before = String(status)
    }
    expect(await profile()).toMatchObject({ kycStatus: before })
  })

  it('has one line when ten say the same at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => decide({ kycStatus: 'VERIFIED' })))
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
    expect(await decisions()).toHaveLength(1)
  })
})
