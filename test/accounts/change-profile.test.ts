import { describe, expect, it } from 'vitest'
import { spec as changeProfile } from '#functions/accounts/change-profile'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { call } from '#test/support/call'
import { handIn } from '#test/support/documents'
import { aProvenUser, aUser, aVerifiedAgent } from '#test/support/given'

const change = (token: string, body: unknown) => call(changeProfile, { token, body })

const PHONE = '+2250700000000'

describe('a name', () => {
  it('a name with a web address is refused, and one with a letter joined by dots is accepted', async () => {
    const { token } = await aUser()
    expect(await change(token, { name: 'See WWW.evil.example' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'name' }] },
    })
    expect(await change(token, { name: 'نیم\u200cفاصله' })).toMatchObject({ status: 200 })
  })
})

describe('200', () => {
  it('changes what is given, keeps what is left out and clears what is null', async () => {
    const { token } = await aUser({ phone: PHONE })
    expect(await change(token, { name: '  Awa Diop ' })).toMatchObject({
      status: 200,
      body: { name: 'Awa Diop', phone: PHONE },
    })
    const { body } = await change(token, { phone: null })
    expect(body).toMatchObject({ name: 'Awa Diop', phone: null })
    expect((await call(getProfile, { token })).body).toEqual(body)
  })

  it('changes nothing else, whatever is sent', async () => {
    const { token } = await aUser()
    const before = (await call(getProfile, { token })).body
    const body = {
      roles: ['agent'],
      kycStatus: 'VERIFIED',
      email: 'x@example.com',
      emailVerified: true,
      status: 'X',
    }
    expect(await change(token, body)).toMatchObject({ status: 200, body: before })
  })

  it('loses neither of two changes at the same moment', async () => {
    const { token } = await aUser()
    const answers = await Promise.all([change(token, { name: 'Awa Diop' }), change(token, { phone: PHONE })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await call(getProfile, { token })).toMatchObject({ body: { name: 'Awa Diop', phone: PHONE } })
  })
})

describe('400', () => {
  it.each([{ name: null }, { name: '' }, { name: 'x'.repeat(121) }, { phone: '0700' }, { phone: 7 }])(
    'refuses %j',
    async (body) => {
      const { token } = await aUser()
      expect(await change(token, body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    },
  )
})

describe('409', () => {
  it('refuses another name to a verified user, and nothing else', async () => {
    const { token } = await aVerifiedAgent()
    expect(await change(token, { name: 'Somebody Else' })).toMatchObject({
      status: 409,
      body: { code: 'identity_verified', errors: [{ path: 'name' }] },
    })
    expect(await change(token, { name: 'Awa Koné', phone: PHONE })).toMatchObject({ status: 200 })
  })
})

describe('PATCH /auth/profile', () => {
  it('refuses another name while the person waits for review, and takes the same one', async () => {
    const { token } = await aProvenUser()
    await handIn(token)
    expect(await call(changeProfile, { token, body: { name: 'Ama Koné' } })).toMatchObject({
      status: 409,
      body: { code: 'in_review', errors: [{ path: 'name' }] },
    })
    const same = { name: 'Awa Koné', phone: '+2250700000000' }
    expect(await call(changeProfile, { token, body: same })).toMatchObject({ status: 200, body: same })
  })

  it('changes the language, to one of five', async () => {
    const { token } = await aProvenUser()
    expect(await call(changeProfile, { token, body: { locale: 'ar' } })).toMatchObject({
      body: { locale: 'ar' },
    })
    expect(await call(getProfile, { token })).toMatchObject({ body: { locale: 'ar' } })
    expect(await call(changeProfile, { token, body: { locale: 'de' } })).toMatchObject({ status: 400 })
  })
})
