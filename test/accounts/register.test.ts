import { decodeJwt, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as register } from '#functions/accounts/register'
import { spec as login } from '#functions/accounts/sessions/login'
import { accountKey } from '#lib/accounts/account.keys'
import { passwordKey } from '#lib/accounts/passwords/password.keys'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { newId, type UserId } from '#lib/kernel/id'
import { call as callFrom, problemOf } from '#test/support/call'
import { aUser, PASSWORD } from '#test/support/given'
import { testTable } from '#test/support/test-table'

let networks = 0
/** A call from a network of its own, since one network may register a few accounts only. */
const call: typeof callFrom = (spec, request = {}) => {
  networks += 1
  return callFrom(spec, { ipAddress: `198.51.100.${networks}`, ...request })
}

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
          locale: 'en',
          roles: ['user'],
          kycStatus: 'UNVERIFIED',
          createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
          updatedAt: expect.stringMatching(/Z$/),
        },
        accessToken: expect.any(String),
        refreshToken: expect.any(String),
        deviceToken: expect.any(String),
        tokenType: 'Bearer',
        // A second may pass between the token and the answer.
        expiresIn: expect.closeTo(600, -1),
      },
    })
    expect(headers['cache-control']).toBe('no-store')
    expect(text).not.toContain('argon2')
    const { accessToken, user } = body
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
    const answer = await call(register, { body: { email: 'nobody', phone: '0700' } })
    const { errors } = problemOf(answer, 'validation_failed')
    expect(errors.map(({ path }) => path).sort()).toEqual(['email', 'name', 'password', 'phone'])
  })
})

describe('signing in', () => {
  it('answers a wrong password and an unknown address alike', async () => {
    const { email } = await aUser()
    const wrong = await call(login, { body: { email, password: 'not the password' } })
    const unknown = await call(login, { body: { email: 'nobody@example.com', password: PASSWORD } })
    const seen = ({ status, body }: typeof wrong) => ({ status, ...body, requestId: '' })
    expect(seen(wrong)).toEqual(seen(unknown))
    expect(wrong).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
  })

  it('keeps at most fifty sessions, ending the oldest, even when many sign in at once', async () => {
    const { id, email, token } = await aUser()
    const table = testTable()
    const signIn = () => call(login, { body: { email: email.toUpperCase(), password: PASSWORD } })
    const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400
    const others = Object.fromEntries(Array.from({ length: 47 }, () => [newId('session'), inDays(30)]))
    const { sid } = decodeJwt(token) as { sid: string }
    await table.commit([
      TABLE_WRITES.update(accountKey(id as UserId), { set: { sessions: { ...others, [sid]: inDays(30) } } }),
    ])
    const answers = await Promise.all(Array.from({ length: 8 }, signIn))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    const sessions = (await table.get(accountKey(id as UserId)))?.['sessions'] as Record<string, number>
    expect(Object.keys(sessions)).toHaveLength(50)
    for (const { body } of answers) {
      const { accessToken } = body
      expect(await call(getProfile, { token: accessToken })).toMatchObject({ status: 200 })
    }
    expect(await call(getProfile, { token })).toMatchObject({ status: 401 })
  })
})

describe('a password', () => {
  it.each([
    ['of twelve characters', 'kP7-vRx2.qLm'],
    ['of 128 characters', `${'correct horse battery staple '.repeat(5).slice(0, 127)}!`],
    ['of spaces between words', 'a quiet harbour at dusk'],
    ['of emoji', '🦜🏝️🦜🏝️🌊🚤🐠🪸🐙🦈🐚🌴'],
    ['of signs', '#/~(;%_}<@^='],
    ['of Arabic letters', 'سفينة تعبر الخليج ليلا'],
  ])('may be one %s', async (what, password) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`
    expect(await call(register, { body: { email, password, name: 'Awa' } })).toMatchObject({ status: 201 })
    expect(await call(login, { body: { email, password } })).toMatchObject({ status: 200 })
  })

  it('is the same however its accents are typed, and not however its letters are cased', async () => {
    const email = 'nfkc@example.com'
    await call(register, { body: { email, password: 'caf\u00e9 au bord de l’eau', name: 'Awa' } })
    expect(await call(login, { body: { email, password: 'cafe\u0301 au bord de l’eau' } })).toMatchObject({
      status: 200,
    })
    expect(await call(login, { body: { email, password: 'CAFÉ AU BORD DE L’EAU' } })).toMatchObject({
      status: 401,
    })
    expect(await call(login, { body: { email, password: ' caf\u00e9 au bord de l’eau' } })).toMatchObject({
      status: 401,
    })
  })

  it('is counted in characters: eleven emoji are one too few, though many units', async () => {
    const body = { email: 'eleven@example.com', password: '🦜🌊🚤🐠🪸🐙🦈🐚🌴🌺🐬', name: 'Awa' }
    expect(await call(register, { body })).toMatchObject({ status: 400, body: { code: 'weak_password' } })
  })

  it.each([
    ['the address without its domain', 'bartholomew.ng1'],
    ['the name run together', 'bartholomewng'],
    ['the name with a year', 'Bartholomew Ng 1987'],
    ['a word with a year and a sign', 'Football1987!!'],
    ['digits that count down', '987654321098'],
    ['two characters repeated', 'abababababab'],
    ['a sign repeated', '!!!!!!!!!!!!'],
    ['a letter and a sign repeated', 'a!!!!!!!!!!!'],
    ['a keyboard row', 'qwertyuiop12'],
    ['a common one in full width', 'ｐａｓｓｗｏｒｄ１２３４'],
  ])('may not be %s', async (_what, password) => {
    const body = { email: 'bartholomew.ng1@example.com', password, name: 'Bartholomew Ng' }
    expect(await call(register, { body })).toMatchObject({ status: 400, body: { code: 'weak_password' } })
  })

  it.each([[''], [7], [null], [['a quiet harbour at dusk']], ['x'.repeat(1_025)]])(
    'is not %j',
    async (password) => {
      const body = { email: 'typed@example.com', password, name: 'Awa' }
      const answer = await call(register, { body })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'validation_failed', errors: [{ path: 'password' }] },
      })
      expect(answer.text).not.toContain('harbour')
    },
  )

  it('is never answered, stored or logged as it was typed', async () => {
    const typed = { email: 'stored@example.com', password: PASSWORD }
    const { id } = (await call(register, { body: { ...typed, name: 'Awa' } })).body.user
    const table = testTable()
    const stored = JSON.stringify(await table.get(passwordKey(id as UserId)))
    expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
    expect(stored).not.toContain(PASSWORD)
    expect(JSON.stringify(await table.get(accountKey(id as UserId)))).not.toMatch(/argon2|harbour/)
    const { status, text } = await call(login, { body: typed })
    expect(status).toBe(200)
    expect(text).not.toMatch(/harbour|argon2/)
  })
})

describe('an e-mail address', () => {
  it.each([
    ['awa'],
    ['awa@'],
    ['@example.com'],
    ['awa@example'],
    ['awa@@example.com'],
    ['awa @example.com'],
    ['awa@example.com, other@example.com'],
    ['Awa <awa@example.com>'],
    ['awa@example.com\nbcc: other@example.com'],
    ['awa@exam\u0000ple.com'],
    [`${'a'.repeat(250)}@example.com`],
    ['awa@example.com#EMAIL'],
    [7],
    [null],
    [['awa@example.com']],
    [{ $ne: null }],
  ])('is not %j', async (email) => {
    expect(await call(register, { body: { ...person, email } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: 'email' }] },
    })
  })

  it('may have spaces around it, which do not belong to it', async () => {
    const { body } = await call(register, { body: { ...person, email: '  spaced@example.com ' } })
    expect(body).toMatchObject({ user: { email: 'spaced@example.com' } })
    expect(await call(register, { body: { ...person, email: 'spaced@example.com' } })).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    })
  })
})

describe('whoever registers', () => {
  // Attack: a field that makes a user more than a user, sent along in the hope that it is stored with the rest.
  it('is a user and no more, whatever else the request says', async () => {
    const forged = {
      id: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      emailVerified: true,
      status: 'ACTIVE',
      roles: ['user', 'agent', 'admins'],
      agent: { displayName: 'Me' },
      kyc: { status: 'VERIFIED' },
      kycStatus: 'VERIFIED',
      passwordHash: '$argon2id$x',
      sessions: { ses_1: 9_999_999_999 },
      drafts: -100,
      isAdmin: true,
    }
    const { body } = await call(register, { body: { ...person, email: 'forged@example.com', ...forged } })
    const { user } = body
    expect(user).toMatchObject({ emailVerified: false, roles: ['user'], kycStatus: 'UNVERIFIED' })
    expect(user.id).not.toBe(forged.id)
    const stored = await testTable().get(accountKey(user.id as UserId))
    expect(stored).toMatchObject({ provenAt: null, agent: null })
    expect(stored).not.toHaveProperty('drafts')
    expect(JSON.stringify(stored)).not.toMatch(/isAdmin|ses_1"|argon2id\$x|"VERIFIED"/)
  })

  it('has a token that says who, for whom, and for ten minutes', async () => {
    const { token, id } = await aUser()
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: 'platform-test' })
    const { iat = 0, exp = 0, ...claims } = decodeJwt(token)
    expect(claims).toEqual({
      iss: 'https://api.platform.test',
      aud: 'platform-api',
      sub: id,
      sid: expect.stringMatching(/^ses_/),
      roles: ['user'],
      auth_time: iat,
      amr: ['pwd'],
      jti: expect.any(String),
    })
    expect(exp - iat).toBe(600)
  })

  it('is told apart from nobody when the address is taken, but by the code', async () => {
    const { email } = await aUser()
    const { text } = await call(register, { body: { ...person, email } })
    expect(text).not.toMatch(/usr_|Koné/)
  })
})

describe('the language of a person', () => {
  it.each([
    ['fr', 'fr-FR,fr;q=0.9,en;q=0.8'],
    ['es', 'es-419'],
    ['pt', 'de, en;q=0.2, pt-BR;q=0.7'],
    ['ar', 'AR'],
    ['en', 'fr;q=0'],
    ['en', 'de,*;q=0.1'],
    ['en', ';;q=x,,'],
    ['en', undefined],
  ])('is %s where the browser says %s', async (locale, acceptLanguage) => {
    networks += 1
    const { body } = await callFrom(register, {
      body: { ...person, email: `language-${networks}@example.com` },
      ipAddress: `198.51.100.${networks}`,
      ...(acceptLanguage !== undefined && { headers: { 'accept-language': acceptLanguage } }),
    })
    expect(body).toMatchObject({ user: { locale } })
  })
})

describe('429', () => {
  it('refuses the twenty-first registration of a network within an hour, whatever it says', async () => {
    const ipAddress = '2001:db8:5:5::1'
    const attempt = (index: number) =>
      callFrom(register, {
        body: { ...person, email: `many-${index}@example.com`, password: 'short' },
        ipAddress,
      })
    for (let index = 0; index < 20; index += 1) expect(await attempt(index)).toMatchObject({ status: 400 })
    expect(await attempt(20)).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': '"registration";q=20;w=3600' },
    })
    const elsewhere = { body: { ...person, email: 'elsewhere@example.com' }, ipAddress: '2001:db8:5:6::1' }
    expect(await callFrom(register, elsewhere)).toMatchObject({ status: 201 })
  })
})
