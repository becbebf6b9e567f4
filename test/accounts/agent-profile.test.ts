import { beforeEach, describe, expect, it } from 'vitest'
import { spec as getAgentProfile } from '#functions/accounts/get-agent-profile'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as getPublicAgent } from '#functions/accounts/get-public-agent'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as getKyc } from '#functions/kyc/get-kyc'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as withdrawKyc } from '#functions/kyc/withdraw-kyc'
import { spec as createListing } from '#functions/listings/create-listing'
import { accountKey } from '#lib/accounts/account.keys'
import type { UserId } from '#lib/kernel/id'
import { call, problemOf } from '#test/support/call'
import { handIn } from '#test/support/documents'
import { aProvenUser, aUser, consoleToken, type GivenUser, verified } from '#test/support/given'
import { testTable } from '#test/support/test-table'

/** A link in an agent's name would reach customers' mail from our own domain. */
const ADVERTISED = 'Unlock it now: https://evil.example'

const complete = {
  displayName: 'Awa Immobilier',
  agency: 'Awa & Co',
  licenseNumber: 'CI-2026-117',
  bio: 'Houses by the lagoon since 1998.\nAsk for Awa.',
  phone: '+2250700000000',
  languages: ['fr', 'en', 'pt-BR', 'zh-Hant-TW'],
  serviceAreas: ['Abidjan', 'Grand-Bassam'],
}

let user: GivenUser

beforeEach(async () => {
  user = await aProvenUser()
})

const put = (body: unknown) => call(putAgentProfile, { token: user.token, body })
const get = () => call(getAgentProfile, { token: user.token })

describe('names of an agent profile', () => {
  it.each([
    ['displayName', ADVERTISED],
    ['displayName', '12345'],
    ['agency', 'Awa\nwww.evil.example'],
    ['agency', '***'],
  ])('%s %j is refused', async (field, value) => {
    expect(await put({ ...complete, [field]: value })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: field }] },
    })
  })

  it('a service area with a direction override is refused by its place', async () => {
    expect(await put({ ...complete, serviceAreas: ['Abidjan', 'Dakar\u202e'] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: expect.stringContaining('serviceAreas') }] },
    })
  })

  it('an agency of digits is accepted', async () => {
    expect(await put({ ...complete, agency: ' 24/7 ' })).toMatchObject({
      status: 201,
      body: { agency: '24/7' },
    })
  })
})

describe('GET /auth/profile/agent', () => {
  it('answers 404 while there is none, and says so by a code of its own', async () => {
    const { status, body } = await get()
    expect({ status, body }).toEqual({
      status: 404,
      body: {
        type: 'https://api.platform.test/docs#agent_profile_not_found',
        title: 'There is no agent profile yet',
        status: 404,
        code: 'agent_profile_not_found',
        detail: 'There is no agent profile yet',
        requestId: expect.any(String),
      },
    })
  })

  it('answers the profile as it was put, with the KYC status of its user', async () => {
    const { body } = await put(complete)
    expect(await get()).toMatchObject({ status: 200, body, headers: { 'cache-control': 'no-store' } })
    await verified(user.id)
    expect((await get()).body).toEqual({ ...body, kycStatus: 'VERIFIED' })
  })

  it('is one’s own: nobody else can be named', async () => {
    await put(complete)
    const { token } = await aUser()
    const other = { userId: user.id }
    expect(await call(getAgentProfile, { token, params: other })).toMatchObject({ status: 404 })
    expect(await call(getAgentProfile, { token, query: other })).toMatchObject({ status: 400 })
  })
})

describe('PUT /auth/profile/agent: 201', () => {
  it('makes the caller an agent at once, whatever the token in hand says', async () => {
    expect(
      await call(createListing, { token: user.token, body: { offer: 'sale', category: 'house' } }),
    ).toMatchObject({
      status: 403,
    })
    const { status, body } = await put(complete)
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ...complete,
        userId: user.id,
        kycStatus: 'UNVERIFIED',
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    })
    expect(
      await call(createListing, { token: user.token, body: { offer: 'sale', category: 'house' } }),
    ).toMatchObject({
      status: 201,
    })
    expect((await call(getProfile, { token: user.token })).body).toMatchObject({ roles: ['user', 'agent'] })
  })

  it('needs a name only: all else is unset', async () => {
    expect((await put({ displayName: ' Awa ' })).body).toMatchObject({
      displayName: 'Awa',
      agency: null,
      licenseNumber: null,
      bio: null,
      phone: null,
      languages: [],
      serviceAreas: [],
    })
  })

  it('is the answer to one of ten who put it first at once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(complete)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
  })

  // Attack: a field of the profile that only an administrator may set, sent along by the agent.
  it('takes nothing from the caller that is not theirs to say', async () => {
    const forged = {
      kycStatus: 'VERIFIED',
      userId: 'usr_1',
      createdAt: '2001-01-01T00:00:00.000Z',
      status: 'BANNED',
      verified: true,
    }
    const { body } = await put({ ...complete, ...forged })
    expect(body).toMatchObject({ kycStatus: 'UNVERIFIED', userId: user.id })
    const stored = JSON.stringify(await testTable().get(accountKey(user.id as UserId)))
    expect(stored).not.toMatch(/2001-01-01|usr_1"|BANNED|"verified":|"VERIFIED"/)
  })
})

describe('PUT /auth/profile/agent: 200', () => {
  it('replaces the whole: what is left out is unset', async () => {
    const first = (await put(complete)).body
    const { status, body } = await put({ displayName: 'Awa & Daughters', languages: null })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        displayName: 'Awa & Daughters',
        agency: null,
        licenseNumber: null,
        bio: null,
        phone: null,
        languages: [],
        serviceAreas: [],
        createdAt: first.createdAt,
      },
    })
    expect((await get()).body).toEqual(body)
  })
})

describe('PUT /auth/profile/agent: 409', () => {
  it.each([
    ['another name', { displayName: 'Somebody Else' }, ['displayName']],
    ['the name in other letters', { displayName: 'AWA IMMOBILIER' }, ['displayName']],
    ['another licence', { licenseNumber: 'CI-2026-118' }, ['licenseNumber']],
    ['no licence', { licenseNumber: null }, ['licenseNumber']],
    ['a licence left out', { licenseNumber: undefined }, ['licenseNumber']],
    ['another agency', { agency: 'Sothebys International Realty' }, ['agency']],
    ['both', { displayName: 'Somebody Else', licenseNumber: 'x' }, ['displayName', 'licenseNumber']],
  ])('answers %s of a verified agent', async (_what, change, paths) => {
    await put(complete)
    await verified(user.id)
    const { status, body } = await put({ ...complete, bio: 'Other words', ...change })
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { code: 'identity_verified', errors: paths.map((path) => ({ path, code: 'identity_verified' })) },
    })
    expect((await get()).body).toMatchObject(complete)
  })

  it('is not the answer to anything else of a verified agent', async () => {
    await put(complete)
    await verified(user.id)
    const change = { bio: null, phone: '+33612345678', languages: ['wo'], serviceAreas: [] }
    expect(await put({ ...complete, displayName: ` ${complete.displayName} `, ...change })).toMatchObject({
      status: 200,
      body: change,
    })
  })

  it.each(['REJECTED', 'EXPIRED'])('is not the answer once the agent is %s', async (kycStatus) => {
    await put(complete)
    await verified(user.id)
    await call(setKycStatus, { token: await consoleToken(), body: { userId: user.id, kycStatus } })
    expect(await put({ displayName: 'Somebody Else' })).toMatchObject({ status: 200, body: { kycStatus } })
  })

  it('holds against a verification at the same moment: what was verified is what stands', async () => {
    for (let round = 0; round < 5; round += 1) {
      user = await aUser()
      await put(complete)
      const [renamed] = await Promise.all([
        put({ ...complete, displayName: 'Somebody Else' }),
        verified(user.id),
      ])
      const { displayName } = (await get()).body
      expect(displayName).toBe(renamed.status === 200 ? 'Somebody Else' : complete.displayName)
      expect([200, 409]).toContain(renamed.status)
    }
  })
})

describe('PUT /auth/profile/agent: 400', () => {
  it.each([
    [{ displayName: undefined }],
    [{ displayName: null }],
    [{ displayName: '' }],
    [{ displayName: '   ' }],
    [{ displayName: 'x'.repeat(121) }],
    [{ displayName: 'A\u0000wa' }],
    [{ displayName: '\ud83c' }],
    [{ agency: '' }],
    [{ agency: 'x'.repeat(121) }],
    [{ licenseNumber: 7 }],
    [{ licenseNumber: 'x'.repeat(61) }],
    [{ bio: '' }],
    [{ bio: 'x'.repeat(2_001) }],
    [{ phone: '0700000000' }],
    [{ phone: '+0700000000' }],
    [{ phone: '07 00 00 00 00' }],
    [{ phone: '+123456' }],
    [{ phone: '+1234567890123456' }],
    [{ phone: '+22507000000٠٠' }],
    [{ languages: 'fr' }],
    [{ languages: [''] }],
    [{ languages: ['f'] }],
    [{ languages: ['fr_FR'] }],
    [{ languages: ['fr-'] }],
    [{ languages: ['français'] }],
    [{ languages: Array(21).fill('fr') }],
    [{ languages: [null] }],
    [{ serviceAreas: ['x'.repeat(121)] }],
    [{ serviceAreas: [''] }],
    [{ serviceAreas: Array(51).fill('Abidjan') }],
    [{ serviceAreas: { 0: 'Abidjan' } }],
  ])('refuses %j, and keeps nothing', async (change) => {
    const answer = await put({ ...complete, ...change })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    const [field = ''] = Object.keys(change)
    expect(problemOf(answer, 'validation_failed').errors[0]?.path.split(/[.[]/)[0]).toBe(field)
    expect(await get()).toMatchObject({ status: 404 })
  })

  it.each([
    [{ displayName: `${'🏠'.repeat(119)}a` }],
    [{ bio: '語'.repeat(2_000) }],
    [{ phone: '+123456789012345' }],
    [{ phone: '+1234567' }],
    [{ languages: Array.from({ length: 20 }, (_, index) => `x-${index}`.replace('x', 'qaa')) }],
    [{ serviceAreas: Array.from({ length: 50 }, (_, index) => `Area ${index}`) }],
  ])('takes what is just within its bounds', async (change) => {
    expect(await put({ ...complete, ...change })).toMatchObject({ status: 201, body: change })
  })
})

// Between the look and the decision a person could take another's name and be verified under it.
describe('PUT /auth/profile/agent while the person waits for review', () => {
  const IN_REVIEW = { status: 409, body: { code: 'in_review' } }

  it('refuses a change of name, agency or licence and takes everything else', async () => {
    await put(complete)
    await handIn(user.token)
    expect(await put({ ...complete, agency: 'Sothebys International Realty' })).toMatchObject(IN_REVIEW)
    expect(await put({ ...complete, bio: 'Other words' })).toMatchObject({ status: 200 })
    await verified(user.id)
    expect(await put({ ...complete, displayName: 'Somebody Else' })).toMatchObject(IN_REVIEW)
  })

  it('lets a person who has not handed in anything else become an agent', async () => {
    await handIn(user.token)
    expect(await put(complete)).toMatchObject({ status: 201 })
  })
})

describe('the first agent profile of a verified person', () => {
  const page = () => call(getPublicAgent, { params: { userId: user.id } })

  it('waits for a decision, is not public before it, and is part of the identity after it', async () => {
    await verified(user.id)
    expect(await put(complete)).toMatchObject({ status: 201, body: { kycStatus: 'VERIFIED' } })
    expect(await page()).toMatchObject({ status: 404 })
    expect(await call(getKyc, { token: user.token })).toMatchObject({ body: { nextStep: 'WAIT' } })
    expect(await put({ ...complete, displayName: 'Somebody Else' })).toMatchObject({
      body: { code: 'in_review' },
    })
    await verified(user.id)
    expect(await page()).toMatchObject({ status: 200, body: { displayName: complete.displayName } })
    expect(await put({ ...complete, displayName: 'Somebody Else' })).toMatchObject({
      body: { code: 'identity_verified' },
    })
  })

  it('may be put right after it was withdrawn, and waits again then', async () => {
    await verified(user.id)
    await put(complete)
    expect(await call(withdrawKyc, { token: user.token })).toMatchObject({ status: 204 })
    expect(await call(getKyc, { token: user.token })).toMatchObject({ body: { nextStep: null } })
    expect(await put({ ...complete, displayName: 'Awa Habitat' })).toMatchObject({ status: 200 })
    expect(await call(getKyc, { token: user.token })).toMatchObject({ body: { nextStep: 'WAIT' } })
    expect(await page()).toMatchObject({ status: 404 })
  })
})
