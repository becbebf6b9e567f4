import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as changePassword } from '#functions/accounts/passwords/change-password'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as addPasskey } from '#functions/accounts/second-factor/add-passkey'
import { spec as beginPasskey } from '#functions/accounts/second-factor/begin-passkey'
import { spec as beginStepUp } from '#functions/accounts/second-factor/begin-step-up'
import { spec as beginTotp } from '#functions/accounts/second-factor/begin-totp'
import { spec as confirmTotp } from '#functions/accounts/second-factor/confirm-totp'
import { spec as removePasskey } from '#functions/accounts/second-factor/remove-passkey'
import { spec as removeTotp } from '#functions/accounts/second-factor/remove-totp'
import { spec as renewRecoveryCodes } from '#functions/accounts/second-factor/renew-recovery-codes'
import { spec as showSecondFactor } from '#functions/accounts/second-factor/show-second-factor'
import { spec as signInWithFactor } from '#functions/accounts/second-factor/sign-in-with-factor'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as logout } from '#functions/accounts/sessions/logout'
import { spec as refresh } from '#functions/accounts/sessions/refresh'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { factorsKey } from '#lib/accounts/second-factor/factor.keys'
import { sessions as sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { UserId } from '#lib/kernel/id'
import { softPasskey } from '#test/support/authenticator'
import { type Answer, call, problemOf } from '#test/support/call'
import { codeOf, firstStep, later, steppedUp, withPasskey, withTotp } from '#test/support/factors'
import { aProvenUser, aUser, consoleToken, type GivenUser, PASSWORD } from '#test/support/given'
import { mailedBy, tokenIn } from '#test/support/mail'
import { overtaken, overtakenBy } from '#test/support/overtaken'
import { testTable } from '#test/support/test-table'

const secondStep = (body: Record<string, unknown>, deps: Record<string, unknown> = {}) =>
  call(signInWithFactor, { body, deps })
const claims = (token: string) => decodeJwt(token)

/** The same person in another session. */
const signedInAgain = async (user: GivenUser): Promise<GivenUser> => {
  const { body } = await call(login, { body: { email: user.email, password: PASSWORD } })
  return { ...user, token: body.accessToken, refreshToken: body.refreshToken }
}

describe('an authenticator app', () => {
  it('is set up, asked for at sign-in and proven by its next code', async () => {
    const user = await aUser()
    const token = await steppedUp(user)
    const begun = await call(beginTotp, { token })
    expect(begun).toMatchObject({
      status: 201,
      body: {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        uri: expect.stringMatching(
          /^otpauth:\/\/totp\/api\.platform\.test:.*secret=[A-Z2-7]{32}.*algorithm=SHA1&digits=6&period=30/,
        ),
      },
    })
    const { secret } = begun.body
    const confirmed = await call(confirmTotp, { token, body: { code: codeOf(secret, -30) } })
    expect(confirmed.status).toBe(200)
    const { recoveryCodes } = confirmed.body
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await call(showSecondFactor, { token: user.token })).toMatchObject({
      status: 200,
      body: { totp: { createdAt: expect.any(String) }, passkeys: [], recoveryCodesLeft: 10, removesAt: null },
    })

    const { challenge, methods, passkeyOptions } = await firstStep(user)
    expect({ methods, passkeyOptions }).toEqual({ methods: ['totp', 'recovery_code'], passkeyOptions: null })
    const signedIn = await secondStep({ challenge, code: codeOf(secret) })
    expect(signedIn).toMatchObject({ status: 200, body: { user: { id: user.id }, tokenType: 'Bearer' } })
    const { accessToken, refreshToken } = signedIn.body
    expect(claims(accessToken)['amr']).toEqual(['pwd', 'otp', 'mfa'])
    const { body: next } = await call(refresh, { body: { refreshToken } })
    expect(claims(next.accessToken)).toMatchObject({
      amr: ['pwd', 'otp', 'mfa'],
      auth_time: claims(accessToken)['auth_time'],
    })
  })

  it('is stored sealed, and its recovery codes as hashes', async () => {
    const user = await withTotp(await aUser())
    const item = JSON.stringify(await testTable().get(factorsKey(UserId.parse(user.id))))
    expect(item).not.toContain(user.secret)
    for (const code of user.recoveryCodes) expect(item).not.toContain(code)
  })

  it('takes codes of clocks that are 30 seconds off, and none that are a minute off', async () => {
    const user = await withTotp(await aUser())
    const trial = async (seconds: number, off: number) => {
      const { challenge } = await firstStep(user, later(seconds))
      return (await secondStep({ challenge, code: codeOf(user.secret, seconds + off) }, later(seconds)))
        .status
    }
    expect(await trial(300, 30)).toBe(200)
    expect(await trial(400, -30)).toBe(200)
    expect(await trial(500, 65)).toBe(401)
    expect(await trial(600, -65)).toBe(401)
  })

  it('takes no code twice, nor one older than the last that worked, at sign-in and step-up alike', async () => {
    const user = await withTotp(await aUser())
    const confirming = codeOf(user.secret, -30)
    const trial = async (code: string) => {
      const { challenge } = await firstStep(user)
      return secondStep({ challenge, code })
    }
    expect(await trial(confirming)).toMatchObject({ status: 401, body: { code: 'invalid_second_factor' } })
    const code = codeOf(user.secret, 30)
    expect((await trial(code)).status).toBe(200)
    expect((await trial(code)).status).toBe(401)
    expect((await trial(codeOf(user.secret))).status).toBe(401)
    expect(await call(stepUp, { token: user.token, body: { code } })).toMatchObject({
      status: 401,
      body: { code: 'invalid_second_factor' },
    })
  })

  it('lets one of many in who show one code at once, with one challenge or with one each', async () => {
    const user = await withTotp(await aUser())
    const code = codeOf(user.secret)
    const { challenge } = await firstStep(user)
    const same = await Promise.all([1, 2, 3, 4].map(() => secondStep({ challenge, code })))
    expect(same.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    const next = codeOf(user.secret, 30)
    const steps = await Promise.all([1, 2, 3].map(() => firstStep(user)))
    const each = await Promise.all(steps.map((step) => secondStep({ challenge: step.challenge, code: next })))
    expect(each.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  it('is not set up twice, nor confirmed by a wrong code, nor after ten minutes', async () => {
    const user = await aUser()
    const token = await steppedUp(user)
    expect(await call(confirmTotp, { token, body: { code: '000000' } })).toMatchObject({
      status: 409,
      body: { code: 'second_factor_missing' },
    })
    const first = await call(beginTotp, { token })
    const second = await call(beginTotp, { token })
    const [replaced, secret] = [first, second].map(({ body }) => body.secret) as [string, string]
    expect(await call(confirmTotp, { token, body: { code: codeOf(replaced) } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_code' },
    })
    const slow = await aUser()
    const begun = await call(beginTotp, { token: await steppedUp(slow) })
    const slowCode = codeOf(begun.body.secret, 601)
    const lateToken = await steppedUp(slow, later(590))
    const late = { token: lateToken, body: { code: slowCode }, deps: later(601) }
    expect(await call(confirmTotp, late)).toMatchObject({
      status: 409,
      body: { code: 'second_factor_missing' },
    })
    const both = await Promise.all(
      [1, 2].map(() => call(confirmTotp, { token, body: { code: codeOf(secret) } })),
    )
    const [confirmed, refused = 0] = both.map(({ status }) => status).sort()
    expect(confirmed).toBe(200)
    // One that begins only after the other has ended meets an account with a factor: its password is not enough any more.
    expect([403, 409]).toContain(refused)
    const signedIn = await firstStep(user)
    const { body } = await secondStep({ challenge: signedIn.challenge, code: codeOf(secret, 30) })
    const mfa = body.accessToken
    expect(await call(beginTotp, { token: mfa })).toMatchObject({
      status: 409,
      body: { code: 'second_factor_exists' },
    })
    expect((await call(removeTotp, { token: mfa })).status).toBe(204)
    expect((await call(removeTotp, { token: mfa })).status).toBe(204)
    expect((await call(showSecondFactor, { token: mfa })).body).toMatchObject({
      totp: null,
      recoveryCodesLeft: 0,
    })
  })
})

it.each(['１２３４５６', 'abcdef', '12345', '1234567', '٠١٢٣٤٥'])(
  'A first code that is not six digits is wrong: %s',
  async (code) => {
    const token = await steppedUp(await aUser())
    await call(beginTotp, { token })
    expect(await call(confirmTotp, { token, body: { code } })).toMatchObject({
      status: 400,
      body: { code: 'invalid_code' },
    })
  },
)

describe('a request that a reset of the password overtakes', () => {
  const NEW_PASSWORD = 'nine herons over the weir'

  /** Resets the password of a user once, after the request has read the account. */
  async function overtakenByReset({ email }: GivenUser) {
    const { mails } = await mailedBy(forgot, { body: { email } })
    const body = { token: tokenIn(mails[0]), newPassword: NEW_PASSWORD }
    return overtakenBy(() => call(resetPassword, { body }))
  }

  it('adds no authenticator app', async () => {
    const user = await aProvenUser()
    const token = await steppedUp(user)
    const { secret } = (await call(beginTotp, { token })).body
    const deps = await overtakenByReset(user)
    const confirmed = await call(confirmTotp, { token, body: { code: codeOf(secret) }, deps })
    expect(confirmed).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect((await call(login, { body: { email: user.email, password: NEW_PASSWORD } })).status).toBe(200)
  })
})

describe('a request that a sign-out everywhere overtakes', () => {
  const overtakenBySignOut = ({ token }: GivenUser) =>
    overtakenBy(() => call(logout, { token, body: { all: true } }))
  const REFUSED = { status: 401, body: { code: 'unauthenticated' } }

  it('adds no authenticator app', async () => {
    const user = await aUser()
    const token = await steppedUp(user)
    const { secret } = (await call(beginTotp, { token })).body
    const request = { token, body: { code: codeOf(secret) }, deps: overtakenBySignOut(user) }
    expect(await call(confirmTotp, request)).toMatchObject(REFUSED)
    expect((await call(login, { body: { email: user.email, password: PASSWORD } })).status).toBe(200)
  })

  it('adds no passkey', async () => {
    const user = await aUser()
    const token = await steppedUp(user)
    const { challenge, options } = (await call(beginPasskey, { token })).body
    const body = { challenge, name: 'Phone', credential: softPasskey().create(options) }
    const added = await call(addPasskey, { token, body, deps: overtakenBySignOut(user) })
    expect(added).toMatchObject(REFUSED)
    expect((await call(login, { body: { email: user.email, password: PASSWORD } })).status).toBe(200)
  })
})

describe('the secret of an authenticator app', () => {
  it('is sealed under the newest data key when it is used, so that the old key may go', async () => {
    const user = await withTotp(await aUser())
    const [older, newer] = [Buffer.alloc(32, 3), Buffer.alloc(32, 9)]
    const trial = async (seconds: number, keys: Buffer[]) => {
      const { challenge } = await firstStep(user)
      const code = codeOf(user.secret, seconds)
      return (await secondStep({ challenge, code }, { dataKeys: async () => keys })).status
    }
    expect(await trial(0, [newer, older])).toBe(200)
    expect(await trial(30, [newer])).toBe(200)
  })
})

describe('a recovery code', () => {
  it('works once, in any case and without its hyphens, and is counted off', async () => {
    const user = await withTotp(await aUser())
    const [code = '', other = ''] = user.recoveryCodes
    const trial = async (shown: string) => {
      const { challenge } = await firstStep(user)
      return secondStep({ challenge, code: shown })
    }
    const first = await trial(code.toLowerCase().replaceAll('-', ''))
    expect(first.status).toBe(200)
    expect((await trial(code)).status).toBe(401)
    const at = await Promise.all([trial(other), trial(other)])
    expect(at.map(({ status }) => status).sort()).toEqual([200, 401])
    const { body } = await call(showSecondFactor, { token: user.token })
    expect(body.recoveryCodesLeft).toBe(8)

    const mfa = first.body.accessToken
    const renewed = await call(renewRecoveryCodes, { token: mfa })
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    expect((await trial(user.recoveryCodes[5] ?? '')).status).toBe(401)
  })

  it('is not made without a factor', async () => {
    const token = await steppedUp(await aUser())
    expect(await call(renewRecoveryCodes, { token })).toMatchObject({
      status: 409,
      body: { code: 'second_factor_missing' },
    })
  })
})

describe('a challenge', () => {
  it('is void after five wrong answers, so that the right one comes too late', async () => {
    const user = await withTotp(await aUser())
    const { challenge } = await firstStep(user)
    for (let wrong = 0; wrong < 5; wrong += 1)
      expect((await secondStep({ challenge, code: 'AAAA-AAAA-AAAA-AAAA' })).status).toBe(401)
    expect((await secondStep({ challenge, code: codeOf(user.secret) })).status).toBe(401)
    const fresh = await firstStep(user)
    expect((await secondStep({ challenge: fresh.challenge, code: codeOf(user.secret) })).status).toBe(200)
  })

  it.each([
    ['changed', (challenge: string) => `${challenge.slice(0, -1)}${challenge.endsWith('A') ? 'B' : 'A'}`],
    ['of nobody', () => 'nonsense'],
    ['with more behind it', (challenge: string) => `${challenge}.A`],
  ])('%s is answered as a wrong code', async (_what, change) => {
    const user = await withTotp(await aUser())
    const { challenge } = await firstStep(user)
    const answer = await secondStep({ challenge: change(challenge), code: codeOf(user.secret) })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_second_factor' } })
  })

  it('of a sign-in, a step-up or a new passkey names nobody', async () => {
    const user = await withTotp(await aUser())
    const signedIn = await firstStep(user)
    const token = (await secondStep({ challenge: signedIn.challenge, code: codeOf(user.secret) })).body
      .accessToken
    const challenges = [
      signedIn.challenge,
      (await call(beginStepUp, { token })).body.challenge ?? '',
      (await call(beginPasskey, { token })).body.challenge,
    ]
    const readable = challenges.flatMap((challenge) => [
      challenge,
      ...challenge.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1')),
    ])
    expect(readable.filter((text) => text.includes(user.id.slice(4)))).toEqual([])
  })

  it('is void after ten minutes, after a new password, and for anything but what it is for', async () => {
    const user = await withTotp(await aUser())
    const { challenge } = await firstStep(user)
    const late = await secondStep({ challenge, code: codeOf(user.secret, 601) }, later(601))
    expect(late.status).toBe(401)
    const { body: options } = await call(beginStepUp, { token: user.token })
    const other = options.challenge
    expect((await secondStep({ challenge: other, code: codeOf(user.secret) })).status).toBe(401)
    const { body } = await call(stepUp, { token: user.token, body: { code: codeOf(user.secret) } })
    const mfa = body.accessToken
    const change = { currentPassword: PASSWORD, newPassword: 'another quiet harbour at dawn' }
    expect((await call(changePassword, { token: mfa, body: change })).status).toBe(204)
    expect((await secondStep({ challenge, code: codeOf(user.secret, 30) })).status).toBe(401)
  })

  it('stays void after a ban that is lifted before it ends', async () => {
    const user = await withTotp(await aUser())
    const { challenge } = await firstStep(user)
    const token = await consoleToken()
    for (const status of ['BANNED', 'ACTIVE']) {
      const answer = await call(updateUser, { token, params: { id: user.id }, body: { status } })
      expect(answer.status).toBe(200)
    }
    expect((await secondStep({ challenge, code: codeOf(user.secret) })).status).toBe(401)
  })

  it('takes one of code and credential: both or neither is a 400', async () => {
    const user = await withTotp(await aUser())
    const { challenge } = await firstStep(user)
    for (const body of [{ challenge }, { challenge, code: '123456', credential: {} }])
      expect(await secondStep(body)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })
})

describe('wrong codes', () => {
  it('a six-digit code is a 429 after ten wrong ones in an hour, whatever right ones came between; a recovery code is not; the tenth is announced', async () => {
    const user = await withTotp(await aUser())
    const statuses: number[] = []
    const codes = [...Array(9).fill('000000'), codeOf(user.secret), ...Array(3).fill('000000')]
    for (const code of codes) {
      const { challenge } = await firstStep(user)
      statuses.push((await secondStep({ challenge, code })).status)
    }
    expect(statuses).toEqual([...Array(9).fill(401), 200, 401, 429, 429])
    const { challenge } = await firstStep(user)
    const limited = await secondStep({ challenge, code: codeOf(user.secret) })
    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
    expect((await secondStep({ challenge, code: user.recoveryCodes[0] })).status).toBe(200)
    const events = await testTable().query({ partition: `EVENTS-OF#${user.id}`, index: 'gsi1', limit: 50 })
    expect(events.items.filter(({ type }) => type === 'user.second_factor_refused')).toHaveLength(1)
  })

  it('a six-digit code that both the hour and the day refuse waits for the later end of the two', async () => {
    const user = await withTotp(await aUser())
    const wrongAt = async (hours: number, times: number) => {
      const deps = later(hours * 3600)
      const { challenge } = await firstStep(user, deps)
      const codes = Array.from({ length: times }, () => secondStep({ challenge, code: '000000' }, deps))
      return Promise.all(codes)
    }
    // Five wrong ones void a challenge.
    for (const hours of [0, 0, 2, 2, 4, 4]) await wrongAt(hours, 5)
    const [refused] = await wrongAt(4, 1)
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'ratelimit-policy': '"second-factor-day";q=30;w=86400' },
    })
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(19 * 3600)
  })
})

describe('stepping up', () => {
  const secondFactor = { code: 'step_up_required' }
  const guarded = (token: string) => call(removeTotp, { token })

  it('asks before the first factor for the password in the last 15 minutes, whatever the sign-in', async () => {
    const user = await aUser()
    expect(await call(beginTotp, { token: user.token })).toMatchObject({
      status: 403,
      body: { ...secondFactor, methods: ['password'] },
    })
    const token = await steppedUp(user, later(2))
    expect((await call(beginTotp, { token: user.token, deps: later(2) })).status).toBe(403)
    expect((await call(beginTotp, { token, deps: later(2) })).status).toBe(201)
    const after = later(16 * 60)
    const { body } = await call(refresh, { body: { refreshToken: user.refreshToken }, deps: after })
    const { accessToken } = body
    expect(await call(beginTotp, { token: accessToken, deps: after })).toMatchObject({
      status: 403,
      body: { ...secondFactor, methods: ['password'] },
    })
  })

  it('an account with a factor steps up with it, and with the password alone gets a 400', async () => {
    const user = await withTotp(await aUser())
    expect(await guarded(user.token)).toMatchObject({
      status: 403,
      body: { ...secondFactor, methods: ['totp', 'recovery_code'] },
    })
    expect(await call(stepUp, { token: user.token, body: { password: PASSWORD } })).toMatchObject({
      status: 400,
      body: { code: 'validation_failed', errors: [{ path: 'password' }] },
    })
    const { status, body } = await call(stepUp, { token: user.token, body: { code: codeOf(user.secret) } })
    expect(status).toBe(200)
    const { accessToken } = body
    expect(claims(accessToken)['amr']).toEqual(['pwd', 'otp', 'mfa'])
    expect((await guarded(accessToken)).status).toBe(204)
  })

  it('refuses what is none of the methods, and all or none of the proofs', async () => {
    const user = await aUser()
    const bodies = [{}, { code: '123456' }, { password: PASSWORD, code: '123456' }, { credential: {} }]
    for (const body of bodies)
      expect((await call(stepUp, { token: user.token, body })).status, JSON.stringify(body)).toBe(400)
    expect(await call(stepUp, { token: user.token, body: { password: 'wrong' } })).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
  })

  it('a proof by a method that the account lacks is a 400 that names its field', async () => {
    const user = await withTotp(await aUser())
    const { challenge } = (await call(beginStepUp, { token: user.token })).body
    const credential = softPasskey().get({ challenge: 'AAAA', rpId: 'platform.test' })
    const refused = await Promise.all([
      call(stepUp, { token: user.token, body: { challenge, credential } }),
      call(stepUp, { token: (await aUser()).token, body: { code: '123456' } }),
    ])
    expect(refused.map((answer) => problemOf(answer).errors?.map(({ path }) => path))).toEqual([
      ['credential'],
      ['code'],
    ])
  })

  it('ends the session at the tenth wrong answer of an hour, also when all come at once', async () => {
    const user = await withTotp(await aUser())
    const wrong = () => call(stepUp, { token: user.token, body: { code: '000000' } })
    const answers = await Promise.all(Array.from({ length: 15 }, wrong))
    expect(
      answers.filter((answer) => problemOf(answer).code === 'invalid_second_factor').length,
    ).toBeLessThanOrEqual(10)
    expect((await call(getProfile, { token: user.token })).status).toBe(401)
  })

  it('a proof by an app that was removed since is none for the factors that come after it', async () => {
    const thief = await withTotp(await aUser())
    const { body } = await call(stepUp, { token: thief.token, body: { code: thief.recoveryCodes[0] } })
    expect(claims(body.accessToken)['amr']).toEqual(['pwd', 'otp', 'mfa'])
    const first = await firstStep(thief)
    const owner = await secondStep({ challenge: first.challenge, code: thief.recoveryCodes[1] })
    const ownerToken = owner.body.accessToken
    expect((await call(removeTotp, { token: ownerToken })).status).toBe(204)

    const withoutFactor = await call(beginTotp, { token: body.accessToken })
    expect(withoutFactor).toMatchObject({ status: 403, body: { ...secondFactor, methods: ['password'] } })

    const { id } = await withPasskey({ ...thief, token: ownerToken })
    const { accessToken } = (await call(refresh, { body: { refreshToken: thief.refreshToken } })).body
    for (const token of [body.accessToken, accessToken]) {
      expect(claims(token)['amr']).toContain('mfa')
      const tries = [
        await call(beginPasskey, { token }),
        await call(removePasskey, { token, params: { id } }),
        await call(renewRecoveryCodes, { token }),
        await call(changePassword, {
          token,
          body: { currentPassword: PASSWORD, newPassword: 'seven herons over the weir' },
        }),
      ]
      for (const refused of tries)
        expect(refused).toMatchObject({
          status: 403,
          body: { ...secondFactor, methods: ['passkey', 'recovery_code'] },
        })
    }
  })

  it('a proof made before another factor was added is asked for again', async () => {
    const user = await withTotp(await aUser())
    const { challenge } = await firstStep(user)
    const { accessToken: token } = (await secondStep({ challenge, code: codeOf(user.secret) })).body
    await withPasskey(user, softPasskey(), token)
    expect(await call(beginPasskey, { token })).toMatchObject({ status: 403, body: secondFactor })
    const again = await call(stepUp, { token, body: { code: user.recoveryCodes[0] } })
    expect((await call(beginPasskey, { token: again.body.accessToken })).status).toBe(200)
  })

  it('a password does not step up once another session has added a factor meanwhile', async () => {
    const user = await aUser()
    const sessions = overtaken(sessionStore.make(), 'commit', async () => {
      await call(refresh, { body: { refreshToken: user.refreshToken } })
      await withTotp(await signedInAgain(user))
    })
    const answer = await call(stepUp, { token: user.token, body: { password: PASSWORD }, deps: { sessions } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })

  it('a step-up and a refresh at once leave both proofs and a session that goes on', async () => {
    const user = await aUser()
    const [up, refreshed] = await Promise.all([
      call(stepUp, { token: user.token, body: { password: PASSWORD } }),
      call(refresh, { body: { refreshToken: user.refreshToken } }),
    ])
    expect([up.status, refreshed.status]).toEqual([200, 200])
    const { refreshToken } = refreshed.body
    const { body } = await call(refresh, { body: { refreshToken } })
    const { accessToken } = body
    expect(claims(accessToken)['auth_time']).toBe(claims(up.body.accessToken)['auth_time'])
    expect((await call(beginTotp, { token: accessToken })).status).toBe(201)
  })

  it('a step-up in the second of the sign-in stays while a refresh of the same moment is stored', async () => {
    const user = await aUser()
    const signedInAt = new Date(Number(claims(user.token)['auth_time']) * 1000)
    const deps = { now: () => signedInAt }
    const stepsUp = () => call(stepUp, { token: user.token, body: { password: PASSWORD }, deps })
    const sessions = overtaken(sessionStore.make(), 'commit', stepsUp)
    const refreshed = await call(refresh, { body: { refreshToken: user.refreshToken }, deps: { sessions } })
    expect((await call(beginTotp, { token: refreshed.body.accessToken })).status).toBe(201)
  })
})

describe('without the password', () => {
  it('a stranger without the password does not learn who has a second factor', async () => {
    const user: GivenUser = await withTotp(await aUser())
    const wrong = (email: string) => call(login, { body: { email, password: 'wrong' } })
    const [known, unknown] = await Promise.all([wrong(user.email), wrong('nobody@example.com')])
    const plain = (answer: Answer) => ({ ...problemOf(answer), requestId: null })
    expect(plain(known)).toEqual(plain(unknown))
  })
})
