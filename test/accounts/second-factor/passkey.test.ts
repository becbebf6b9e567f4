import { decodeJwt } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { spec as addPasskey } from '#functions/accounts/second-factor/add-passkey'
import { spec as beginPasskey } from '#functions/accounts/second-factor/begin-passkey'
import { spec as beginPasskeySignIn } from '#functions/accounts/second-factor/begin-passkey-sign-in'
import { spec as beginStepUp } from '#functions/accounts/second-factor/begin-step-up'
import { spec as removePasskey } from '#functions/accounts/second-factor/remove-passkey'
import { spec as renamePasskey } from '#functions/accounts/second-factor/rename-passkey'
import { spec as showSecondFactor } from '#functions/accounts/second-factor/show-second-factor'
import { spec as signInWithFactor } from '#functions/accounts/second-factor/sign-in-with-factor'
import { spec as signInWithPasskey } from '#functions/accounts/second-factor/sign-in-with-passkey'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { certifiedAttestations, selfAttestation } from '#test/support/attestations'
import { type Fault, type SoftPasskey, softPasskey } from '#test/support/authenticator'
import { call } from '#test/support/call'
import { firstStep, later, steppedUp, withPasskey } from '#test/support/factors'
import { aUser, consoleToken } from '#test/support/given'
import { startStandIn } from '#test/support/stand-in'

const asked = async () => {
  const { status, body } = await call(beginPasskeySignIn)
  expect(status).toBe(200)
  return body
}

async function signIn(passkey: SoftPasskey, fault: Fault = {}, deps: Record<string, unknown> = {}) {
  const { challenge, options } = await asked()
  return call(signInWithPasskey, { body: { challenge, credential: passkey.get(options, fault) }, deps })
}

/** Every way in which an answer of a passkey is not good. */
const FAULTS: readonly [string, Fault][] = [
  ['signed by another key', { isForged: true }],
  ['that did not verify its user', { isUnverified: true }],
  ['of another site', { origin: 'https://evil.example' }],
  ['of a site whose name begins alike', { origin: 'https://www.platform.test.evil.example' }],
  ['of our site without TLS', { origin: 'http://www.platform.test' }],
  ['of another domain', { rpId: 'evil.example' }],
  ['to another challenge', { challenge: 'AAAA' }],
  ['made for a registration', { type: 'webauthn.create' }],
  [
    'that names another account',
    { userHandle: Buffer.from('usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND').toString('base64url') },
  ],
]

describe('a passkey', () => {
  it('is added, signs in alone, and is the second factor after a password', async () => {
    const user = await aUser()
    const { passkey, recoveryCodes } = await withPasskey(user)
    expect(recoveryCodes).toHaveLength(10)
    const alone = await signIn(passkey)
    expect(alone).toMatchObject({ status: 200, body: { user: { id: user.id } } })
    expect(decodeJwt(alone.body.accessToken)['amr']).toEqual(['pop', 'user', 'mfa'])

    const { challenge, methods, passkeyOptions } = await firstStep(user)
    expect(methods).toEqual(['passkey', 'recovery_code'])
    expect(passkeyOptions?.['allowCredentials']).toEqual([
      { id: passkey.id, type: 'public-key', transports: ['internal'] },
    ])
    if (!passkeyOptions) throw new Error('There are no options')
    const second = await call(signInWithFactor, {
      body: { challenge, credential: passkey.get(passkeyOptions) },
    })
    expect(second.status).toBe(200)
    const { accessToken } = second.body
    expect(decodeJwt(accessToken)['amr']).toEqual(['pwd', 'pop', 'user', 'mfa'])
  })

  it('is added without the names of its transports where one of them is half a character', async () => {
    const user = await aUser()
    const token = await steppedUp(user)
    const { challenge, options } = (await call(beginPasskey, { token })).body
    const passkey = softPasskey()
    const { response, ...created } = passkey.create(options)
    const credential = { ...created, response: { ...response, transports: ['usb', '\ud83d'] } }
    const added = await call(addPasskey, { token, body: { challenge, name: 'Key', credential } })
    expect(added.status).toBe(201)
    expect((await firstStep(user)).passkeyOptions?.['allowCredentials']).toEqual([
      { id: passkey.id, type: 'public-key', transports: [] },
    ])
  })

  it('a session that a passkey began is proven by the password too, once that is shown', async () => {
    const { passkey, id } = await withPasskey(await aUser())
    const { accessToken: token } = (await signIn(passkey)).body
    expect((await call(removePasskey, { token, params: { id } })).status).toBe(204)
    expect(decodeJwt(await steppedUp({ token }))['amr']).toEqual(['pwd', 'pop', 'user', 'mfa'])
  })

  it('a second passkey brings no second set of recovery codes', async () => {
    const user = await aUser()
    const { passkey } = await withPasskey(user)
    const { body } = await signIn(passkey)
    const { accessToken } = body
    expect((await withPasskey(user, softPasskey(), accessToken)).recoveryCodes).toEqual([])
  })

  it.each(FAULTS)('%s is refused at sign-in, and nothing says why', async (_what, fault) => {
    const { passkey } = await withPasskey(await aUser())
    expect(await signIn(passkey, fault)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect((await signIn(passkey)).status).toBe(200)
  })

  it.each(FAULTS)('%s is refused at the second step and at step-up', async (_what, fault) => {
    const user = await aUser()
    const { passkey, token } = await withPasskey(user)
    const { challenge, passkeyOptions } = await firstStep(user)
    if (!passkeyOptions) throw new Error('There are no options')
    const second = await call(signInWithFactor, {
      body: { challenge, credential: passkey.get(passkeyOptions, fault) },
    })
    expect(second).toMatchObject({ status: 401, body: { code: 'invalid_second_factor' } })
    const { body } = await call(beginStepUp, { token })
    const options = body
    const answer = (wrong: Fault) => ({
      challenge: options.challenge,
      credential: passkey.get(options.passkeyOptions, wrong),
    })
    expect(await call(stepUp, { token, body: answer(fault) })).toMatchObject({
      status: 401,
      body: { code: 'invalid_second_factor' },
    })
    expect((await call(stepUp, { token, body: answer({}) })).status).toBe(200)
  })

  it.each([
    ['nothing', {}],
    ['a list of everything', { id: [], rawId: {}, type: 7, response: null }],
    ['an empty response', { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: {} }],
    ['a huge id', { id: 'A'.repeat(100_000), rawId: 'A', type: 'public-key', response: {} }],
    ['names of its own', { __proto__: { id: 'AAAA' }, constructor: 'x' }],
  ])(
    'that holds %s is a wrong one wherever it is shown, and never a fault of ours',
    async (_what, credential) => {
      const user = await aUser()
      const { token } = await withPasskey(user)
      const { challenge } = await asked()
      const { challenge: second } = await firstStep(user)
      const answers = [
        await call(signInWithPasskey, { body: { challenge, credential } }),
        await call(signInWithFactor, { body: { challenge: second, credential } }),
        await call(stepUp, { token, body: { challenge: second, credential } }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    },
  )

  it('a passkey is refused if it is unknown, or its challenge was used, expired, changed or made for another purpose', async () => {
    const { passkey } = await withPasskey(await aUser())
    expect((await signIn(softPasskey())).status).toBe(401)
    const { challenge, options } = await asked()
    const credential = passkey.get(options)
    const late = await call(signInWithPasskey, { body: { challenge, credential }, deps: later(601) })
    expect(late.status).toBe(401)
    const once = await Promise.all(
      [1, 2, 3].map(() => call(signInWithPasskey, { body: { challenge, credential } })),
    )
    expect(once.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    const other = await asked()
    expect((await call(signInWithPasskey, { body: { challenge: other.challenge, credential } })).status).toBe(
      401,
    )
  })

  it('whose counter is not above the last is refused, where it counts at all', async () => {
    const { passkey } = await withPasskey(await aUser(), softPasskey({ counter: 5 }))
    expect((await signIn(passkey)).status).toBe(200)
    expect((await signIn(passkey, { counter: 6 })).status).toBe(401)
    expect((await signIn(passkey, { counter: 5 })).status).toBe(401)
    expect((await signIn(passkey, { counter: 0 })).status).toBe(401)
    expect((await signIn(passkey, { counter: 7 })).status).toBe(200)
  })

  it('a good passkey of a banned account is answered with the ban, a bad one is not', async () => {
    const user = await aUser()
    const { passkey } = await withPasskey(user)
    const ban = {
      params: { id: user.id },
      body: { status: 'BANNED', reason: 'Spam' },
      token: await consoleToken(),
    }
    expect((await call(updateUser, ban)).status).toBe(200)
    expect(await signIn(passkey, { isForged: true })).toMatchObject({ body: { code: 'invalid_credentials' } })
    expect(await signIn(passkey)).toMatchObject({ status: 403, body: { code: 'account_banned' } })
  })

  it('is renamed and removed by its owner alone, and the last takes the recovery codes with it', async () => {
    const user = await aUser()
    const { passkey, id } = await withPasskey(user)
    const { body } = await signIn(passkey)
    const token = body.accessToken
    const stranger = await withPasskey(await aUser())
    const strangerToken = (await signIn(stranger.passkey)).body.accessToken
    const params = { id }
    expect((await call(renamePasskey, { token: strangerToken, params, body: { name: 'Mine' } })).status).toBe(
      404,
    )
    expect((await call(removePasskey, { token: strangerToken, params })).status).toBe(404)
    expect(await call(renamePasskey, { token, params, body: { name: 'Desk' } })).toMatchObject({
      status: 200,
      body: { id, name: 'Desk' },
    })
    expect((await call(removePasskey, { token, params })).status).toBe(204)
    expect((await call(removePasskey, { token, params })).status).toBe(404)
    expect((await call(showSecondFactor, { token })).body).toMatchObject({
      passkeys: [],
      recoveryCodesLeft: 0,
    })
    expect((await signIn(passkey)).status).toBe(401)
  })

  it('removed while another request uses it lets that request in or not, and never fails', async () => {
    const user = await aUser()
    const { passkey, id } = await withPasskey(user)
    const token = (await signIn(passkey)).body.accessToken
    const [signedIn, removed] = await Promise.all([
      signIn(passkey),
      call(removePasskey, { token, params: { id } }),
    ])
    expect([200, 401]).toContain(signedIn.status)
    expect(removed.status).toBe(204)
    expect((await signIn(passkey)).status).toBe(401)
  })
})

describe('adding a passkey', () => {
  it.each([
    ['of another site', { origin: 'https://evil.example' }],
    ['of another domain', { rpId: 'evil.example' }],
    ['to another challenge', { challenge: 'AAAA' }],
    ['that did not verify its user', { isUnverified: true }],
    ['that is no registration', { type: 'webauthn.get' }],
    ['of another id than the signed one', { attestedId: Buffer.alloc(16, 7) }],
    ['with a key of 40 KB, ten of which an account could not hold', { modulusBytes: 40_000 }],
  ])('%s is refused', async (_what, fault) => {
    const token = await steppedUp(await aUser())
    const { body } = await call(beginPasskey, { token })
    const { challenge, options } = body
    const added = { challenge, name: 'Phone', credential: softPasskey().create(options, fault) }
    expect(await call(addPasskey, { token, body: added })).toMatchObject({
      status: 400,
      body: { code: 'invalid_passkey' },
    })
  })

  it('takes an RSA key of 4,096 bits', async () => {
    const token = await steppedUp(await aUser())
    const { challenge, options } = (await call(beginPasskey, { token })).body
    const credential = softPasskey().create(options, { modulusBytes: 512 })
    expect((await call(addPasskey, { token, body: { challenge, name: 'Phone', credential } })).status).toBe(
      201,
    )
  })

  it('takes an attestation that the passkey signed itself', async () => {
    const token = await steppedUp(await aUser())
    const { challenge, options } = (await call(beginPasskey, { token })).body
    const credential = softPasskey().create(options, { attestation: selfAttestation })
    expect((await call(addPasskey, { token, body: { challenge, name: 'Phone', credential } })).status).toBe(
      201,
    )
  })

  it.each(Object.keys(certifiedAttestations('')))(
    'with an attestation %s is refused, wherever it is sent, and its certificates’ addresses are not asked',
    async (format) => {
      const stranger = await startStandIn(() => undefined)
      try {
        const attestation = certifiedAttestations(`${stranger.url}/revoked`)[format]
        const user = await aUser()
        const token = await steppedUp(user)
        const { challenge, options } = (await call(beginPasskey, { token })).body
        const credential = softPasskey().create(options, attestation && { attestation })
        const added = await call(addPasskey, { token, body: { challenge, name: 'Phone', credential } })
        expect(added).toMatchObject({ status: 400, body: { code: 'invalid_passkey' } })
        await withPasskey(user, softPasskey(), token)
        const [first, again, alone] = [
          await firstStep(user),
          (await call(beginStepUp, { token })).body,
          await asked(),
        ]
        const others = [
          await call(signInWithFactor, { body: { challenge: first.challenge, credential } }),
          await call(stepUp, { token, body: { challenge: again.challenge, credential } }),
          await call(signInWithPasskey, { body: { challenge: alone.challenge, credential } }),
        ]
        expect(others.map(({ status }) => status)).toEqual([401, 401, 401])
        expect(stranger.requests).toEqual([])
      } finally {
        stranger.close()
      }
    },
  )

  it('uses its challenge up by the first credential, also by a wrong one', async () => {
    const token = await steppedUp(await aUser())
    const { challenge, options } = (await call(beginPasskey, { token })).body
    const add = (credential: object) =>
      call(addPasskey, { token, body: { challenge, name: 'Phone', credential } })
    const passkey = softPasskey()
    expect(await add(passkey.create(options, { isUnverified: true }))).toMatchObject({ status: 400 })
    expect(await add(passkey.create(options))).toMatchObject({
      status: 400,
      body: { code: 'invalid_passkey' },
    })
  })

  it('ends the session after ten wrong credentials, other wrong proofs of that hour included', async () => {
    const user = await aUser()
    const token = await steppedUp(user)
    for (let wrong = 0; wrong < 2; wrong += 1)
      expect((await call(stepUp, { token, body: { password: 'not the password' } })).status).toBe(401)
    for (let wrong = 0; wrong < 8; wrong += 1) {
      const { challenge, options } = (await call(beginPasskey, { token })).body
      const credential = softPasskey().create(options, { isUnverified: true })
      const refused = await call(addPasskey, { token, body: { challenge, name: 'Phone', credential } })
      expect(refused.status).toBe(400)
    }
    expect((await call(beginPasskey, { token })).status).toBe(401)
  })

  it('of ten good ones in an hour counts none as wrong', async () => {
    const user = await aUser()
    let token = await steppedUp(user)
    for (let count = 0; count < 11; count += 1) {
      const { passkey, id } = await withPasskey(user, softPasskey(), token)
      token = (await signIn(passkey)).body.accessToken
      expect((await call(removePasskey, { token, params: { id } })).status).toBe(204)
      token = await steppedUp({ token: user.token })
    }
  })

  it('a passkey of another account, or a challenge of another person, is refused', async () => {
    const { passkey } = await withPasskey(await aUser())
    const token = await steppedUp(await aUser())
    const other = await steppedUp(await aUser())
    const mine = (await call(beginPasskey, { token })).body
    const theirs = (await call(beginPasskey, { token: other })).body
    const add = (challenge: string, credential: object) =>
      call(addPasskey, { token, body: { challenge, name: 'Phone', credential } })
    const taken = await add(mine.challenge, passkey.create(mine.options))
    expect(taken).toMatchObject({ status: 400, body: { code: 'invalid_passkey' } })
    const foreign = await add(theirs.challenge, softPasskey().create(theirs.options))
    expect(foreign).toMatchObject({ status: 400, body: { code: 'invalid_passkey' } })
  })

  it('of two at once adds one, which voids the challenge of the other', async () => {
    const token = await steppedUp(await aUser())
    const begun = await Promise.all([1, 2].map(async () => (await call(beginPasskey, { token })).body))
    const added = await Promise.all(
      begun.map(({ challenge, options }) =>
        call(addPasskey, {
          token,
          body: { challenge, name: 'One', credential: softPasskey().create(options) },
        }),
      ),
    )
    expect(added.map(({ status }) => status).sort()).toEqual([201, 400])
    expect((await call(showSecondFactor, { token })).body.passkeys).toHaveLength(1)
  })

  it('ends at ten, also when two come at once', async () => {
    const user = await aUser()
    const first = await withPasskey(user)
    const freshToken = async () => (await signIn(first.passkey)).body.accessToken
    for (let count = 1; count < 9; count += 1) await withPasskey(user, softPasskey(), await freshToken())
    const token = await freshToken()
    const begun = await Promise.all([1, 2].map(async () => (await call(beginPasskey, { token })).body))
    const both = await Promise.all(
      begun.map(({ challenge, options }) =>
        call(addPasskey, {
          token,
          body: { challenge, name: 'Tenth', credential: softPasskey().create(options) },
        }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await call(beginPasskey, { token: await freshToken() })).toMatchObject({
      status: 409,
      body: { code: 'passkey_limit_reached' },
    })
  })
})

describe('the origins of passkeys', () => {
  const settingsWith = (variables: Record<string, string>) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    try {
      passkeySettings.check?.()
      return passkeySettings.make()
    } finally {
      vi.unstubAllEnvs()
    }
  }

  it('are the public address and those of CORS at or beneath the domain, and never every one', () => {
    const { rpId, isAllowedOrigin } = settingsWith({
      WEBAUTHN_RP_ID: 'example.com',
      PUBLIC_URL: 'https://api.example.com',
      CORS_ORIGINS: '*,https://www.example.com,https://evil-example.com,https://example.com.evil.test',
    })
    expect(rpId).toBe('example.com')
    expect(isAllowedOrigin('https://api.example.com')).toBe(true)
    expect(isAllowedOrigin('https://www.example.com')).toBe(true)
    for (const origin of [
      'https://evil-example.com',
      'https://example.com.evil.test',
      'https://shop.example.com',
    ])
      expect(isAllowedOrigin(origin), origin).toBe(false)
  })

  it('are any port of localhost on the local stack', () => {
    const { rpId, isAllowedOrigin } = settingsWith({
      WEBAUTHN_RP_ID: '',
      PUBLIC_URL: 'http://localhost:3000',
      CORS_ORIGINS: 'http://localhost:*,http://127.0.0.1:*',
    })
    expect(rpId).toBe('localhost')
    expect(isAllowedOrigin('http://localhost:5173')).toBe(true)
    expect(isAllowedOrigin('http://127.0.0.1:5173')).toBe(false)
    expect(isAllowedOrigin('http://localhost.evil.test:5173')).toBe(false)
  })

  it.each([
    'https://other.test',
    'ios:bundle-id:com.example',
    'android:apk-key-hash:',
    'android:apk-key-hash:AB:CD',
    'https://android:apk-key-hash:AAAA',
  ])('the origin %s outside the domain stops the start', (origin) => {
    const outside = {
      WEBAUTHN_RP_ID: 'example.com',
      WEBAUTHN_ORIGINS: `https://www.example.com,${origin}`,
    }
    expect(() => settingsWith(outside)).toThrow(origin)
  })

  it('an Android app that is named registers passkeys and signs in with them, and no other app', async () => {
    const app = `android:apk-key-hash:${'pNiP5iKyQ8JwgGOaKA1zGPUPJIS-0H1xKCQcfIoGLck'}`
    const passkeys = settingsWith({
      WEBAUTHN_RP_ID: 'platform.test',
      WEBAUTHN_ORIGINS: `https://www.platform.test,${app}`,
    })
    const token = await steppedUp(await aUser())
    const passkey = softPasskey()
    const add = async (origin: string) => {
      const { challenge, options } = (await call(beginPasskey, { token, deps: { passkeys } })).body
      const credential = passkey.create(options, { origin })
      const body = { challenge, name: 'Phone', credential }
      return (await call(addPasskey, { token, body, deps: { passkeys } })).status
    }
    expect(await add('android:apk-key-hash:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).toBe(400)
    expect(await add(app)).toBe(201)
    expect((await signIn(passkey, { origin: app }, { passkeys })).status).toBe(200)
    expect((await signIn(passkey, { origin: app })).status).toBe(401)
  })
})
