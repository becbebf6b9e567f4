import { describe, expect, it } from 'vitest'
import { spec as getProfile } from '#functions/auth/get-profile'
import { spec as login } from '#functions/auth/login'
import { spec as register } from '#functions/auth/register'
import { call } from '#test/support/call'
import { aUser, PASSWORD } from '#test/support/given'

const person = { email: 'Awa@Example.com', password: PASSWORD, name: ' Awa Koné ' }

describe('201', () => {
  it('answers the user and a working pair of tokens, and nothing of the password', async () => {
    const { status, body, headers, text } = await call(register, {
      body: { ...person, roles: ['agent'], kycStatus: 'VERIFIED' },
    })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        user: {
          id: expect.stringMatching(/^usr_/),
          email: 'Awa@Example.com',
          emailVerified: false,
          name: 'Awa Koné',
          phone: null,
          roles: ['user'],
          kycStatus: 'UNVERIFIED',
          createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          updatedAt: expect.stringMatching(/Z$/),
        },
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        tokenType: 'Bearer',
        expiresIn: 600,
      },
    })
    expect(headers['cache-control']).toBe('no-store')
    expect(text).not.toContain('argon2')
    const { accessToken, user } = body as { accessToken: string; user: object }
    expect(await call(getProfile, { token: accessToken })).toMatchObject({ status: 200, body: user })
  })
})

describe('409', () => {
  it('lets one of many registrations of one address win, whatever its letter case', async () => {
    const tries = ['same@example.com', 'SAME@example.com', 'Same@Example.com', 'same@EXAMPLE.com']
    const answers = await Promise.all(tries.map((email) => call(register, { body: { ...person, email } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  })
})

describe('400', () => {
  it.each([
    ['password1234', 'a common one with digits'],
    ['123456789012', 'digits that count up'],
    ['aaaaaaaaaaaa', 'one letter repeated'],
    ['passwordpassword', 'a word repeated'],
    ['Sunshine-2024!', 'a common word dressed up'],
    ['short', 'a short one'],
    ['x'.repeat(129), 'one over 128 characters'],
    ['weak@example.com', 'the address itself'],
    ['Bartholomew Ng', 'the name itself'],
  ])('refuses %s, %s', async (password) => {
    const body = { email: 'weak@example.com', password, name: 'Bartholomew Ng' }
    expect(await call(register, { body })).toMatchObject({ status: 400, body: { code: 'weak_password' } })
  })

  it('names every field that is missing or wrong', async () => {
    const { body } = await call(register, { body: { email: 'nobody', phone: '0700' } })
    expect((body as { errors: { path: string }[] }).errors.map(({ path }) => path).sort()).toEqual([
      'email',
      'name',
      'password',
      'phone',
    ])
  })
})

describe('signing in', () => {
  it('answers a wrong password and an unknown address alike', async () => {
    const { email } = await aUser()
    const wrong = await call(login, { body: { email, password: 'not the password' } })
    const unknown = await call(login, { body: { email: 'nobody@example.com', password: PASSWORD } })
    const seen = ({ status, body }: typeof wrong) => ({ status, ...(body as object), requestId: '' })
    expect(seen(wrong)).toEqual(seen(unknown))
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  })

  it('keeps at most fifty sessions, ending the oldest', async () => {
    const { email, token } = await aUser()
    for (let count = 0; count < 50; count += 1) {
      expect(await call(login, { body: { email: email.toUpperCase(), password: PASSWORD } })).toMatchObject({
        status: 200,
      })
    }
    expect(await call(getProfile, { token })).toMatchObject({ status: 401 })
  })
})
