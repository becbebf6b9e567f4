import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SSMClient } from '@aws-sdk/client-ssm'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as refresh } from '#functions/accounts/sessions/refresh'
import { spec as health } from '#functions/service/health'
import { openTokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { readConfig } from '#lib/config/config'
import { openKeys } from '#lib/config/keys'
import { type Account, openAccount } from '#lib/deploy/account'
import { accountValues } from '#lib/deploy/account-values'
import { rotate, type Step } from '#lib/deploy/rotation'
import { cursorsWith } from '#lib/dynamo/cursor'
import { settings } from '#lib/http/runtime'
import { openProviders } from '#lib/providers/registry'
import { secretSettings } from '#lib/providers/settings'
import { call } from '#test/support/call'
import { aUser, type GivenUser, PASSWORD } from '#test/support/given'
import { memoryParameterStore } from '#test/support/parameter-store'
import { SETTINGS } from '#test/support/providers'

// The steps of "Rotating keys" in the operator's book, made with the values that `npm run rotate` stores and functions read. A container is a running function: one that runs already remembers keys, a new one reads them.

const MINUTES = 60_000
const values = accountValues('prod', { mailFrom: 'no-reply@example.com' })
let account: Account
let elapsed = 0
const clock = () => new Date(Date.now() + elapsed)

beforeAll(() => {
  memoryParameterStore()
  account = openAccount({ ssm: new SSMClient(), secrets: new SecretsManagerClient() })
})

afterAll(() => void vi.restoreAllMocks())

const theValue = (key: string) => {
  const value = values.find(({ name }) => name.endsWith(`/${key}`))
  if (!value) throw new Error(`There is no ${key}`)
  return value
}
const textOf = async (key: string) => (await account.read(theValue(key))) ?? ''

async function step(name: Step, key: string): Promise<void> {
  for (const [value, text] of await rotate(name, key, values, account.read))
    await account.replace(value, text)
}

/** What a release gives the functions. */
async function release(): Promise<void> {
  process.env['AUTH_JWKS'] = await textOf('auth-jwks')
}

const parameter = (key: string) => theValue(key).name
const addressed = { AUTH_ISSUER: 'https://api.platform.test', AUTH_AUDIENCE: 'platform-api' }

/** A running function that signs in and refreshes. */
const container = () => ({
  hmacKeys: openKeys(
    'HMAC_KEYS',
    { HMAC_KEYS: undefined, HMAC_KEYS_PARAMETER: parameter('hmac-keys') },
    clock,
  ),
  issueAccessToken: openTokenIssuer(
    {
      ...addressed,
      AUTH_SIGNING_KEYS: undefined,
      AUTH_SIGNING_KEYS_PARAMETER: parameter('auth-signing-keys'),
    },
    clock,
  ),
})
type Container = ReturnType<typeof container>
type Pair = { accessToken: string; refreshToken: string }

const signIn = async ({ email }: GivenUser, deps: Container): Promise<Pair> =>
  (await call(login, { body: { email, password: PASSWORD }, deps })).body
const refreshed = (refreshToken: string, deps: Container) => call(refresh, { body: { refreshToken }, deps })
const profile = async (token: string) => (await call(getProfile, { token })).status

/** What each of some containers answers to a refresh token of each. */
async function answers(person: GivenUser, ...containers: Container[]): Promise<number[]> {
  const found: number[] = []
  for (const issuer of containers) {
    for (const reader of containers) {
      const { refreshToken } = await signIn(person, issuer)
      found.push((await refreshed(refreshToken, reader)).status)
    }
  }
  return found
}

beforeEach(async () => {
  const made = new Map<string, string>()
  for (const value of values.filter(({ store }) => store !== 'secret')) {
    const text = (await value.make?.(made)) ?? ''
    made.set(value.name, text)
    await account.replace(value, text)
  }
  await release()
})

describe('the HMAC keys', () => {
  it('rotate while functions run, and nobody is signed out who comes back within the thirty days', async () => {
    const person = await aUser()
    const running = container()
    const sleeper = await signIn(person, running)
    let { refreshToken } = await signIn(person, running)
    for (const name of ['add', 'use', 'drop'] as const) {
      await step(name, 'hmac-keys')
      expect(await answers(person, running, container()), name).toEqual([200, 200, 200, 200])
      elapsed += 5 * MINUTES
      expect(await answers(person, running, container()), name).toEqual([200, 200, 200, 200])
      const { status, body } = await refreshed(refreshToken, running)
      expect(status, name).toBe(200)
      refreshToken = body.refreshToken
    }
    // Who did not come back before the old key was dropped signs in again.
    expect((await refreshed(sleeper.refreshToken, running)).status).toBe(401)
  })

  it('sign people out when a key signs before every running function has read it', async () => {
    const person = await aUser()
    const running = container()
    await running.hmacKeys()
    await step('add', 'hmac-keys')
    await step('use', 'hmac-keys')
    expect(await answers(person, running, container())).toEqual([200, 200, 401, 200])
  })
})

describe('the keys of access tokens', () => {
  it('rotate while functions run, and every token lives its ten minutes', async () => {
    const person = await aUser()
    const running = container()
    const issued = async () => [await signIn(person, running), await signIn(person, container())]
    const alive = await issued()
    const allLive = () => Promise.all(alive.map(({ accessToken }) => profile(accessToken)))

    await step('add', 'auth-signing-keys')
    alive.push(...(await issued()))
    expect(new Set(await allLive())).toEqual(new Set([200]))
    await release()
    expect(new Set(await allLive())).toEqual(new Set([200]))

    await step('use', 'auth-signing-keys')
    alive.push(...(await issued()))
    expect(new Set(await allLive())).toEqual(new Set([200]))
    elapsed += 5 * MINUTES
    const [one, two] = await issued()
    const kids = [one, two].map((pair) => decodeProtectedHeader(pair?.accessToken ?? '').kid)
    expect(new Set(kids).size).toBe(1)
    expect(kids[0]).not.toBe(decodeProtectedHeader(alive[0]?.accessToken ?? '').kid)

    await step('drop', 'auth-signing-keys')
    await release()
    expect(await profile(one?.accessToken ?? '')).toBe(200)
    expect(await profile(two?.accessToken ?? '')).toBe(200)
    // What the old key signed is refused: that is why its tokens are waited for.
    expect(await profile(alive[0]?.accessToken ?? '')).toBe(401)
  })

  it('sign tokens that nobody knows when the public half was not released before', async () => {
    const person = await aUser()
    await step('add', 'auth-signing-keys')
    await step('use', 'auth-signing-keys')
    expect(await profile((await signIn(person, container())).accessToken)).toBe(401)
    await release()
    expect(await profile((await signIn(person, container())).accessToken)).toBe(200)
  })
})

/** The texts of a key before a rotation and after each of its steps. */
async function texts(key: string): Promise<string[]> {
  const found = [await textOf(key)]
  for (const name of ['add', 'use', 'drop'] as const) {
    await step(name, key)
    found.push(await textOf(key))
  }
  return found
}

/** Each text with the one of the release before or after it: during a release, both run. */
const meeting = (found: readonly string[]) =>
  found.slice(1).flatMap((after, index) => {
    const both = [found[index] ?? '', after]
    return both.flatMap((one) => both.map((other) => [one, other] as const))
  })

describe('the secrets that prove the front', () => {
  const answer = async (front: string, functions: string) => {
    const secrets = readConfig(['ORIGIN_SECRETS'], { ORIGIN_SECRETS: functions })
    const headers = { 'x-origin-secret': front.split(',')[0] ?? '' }
    return (await call(health, { headers, deps: { settings: { ...settings.make(), ...secrets } } })).status
  }

  it('rotate, whether the front or the functions are released first', async () => {
    const pairs = meeting(await texts('origin-secrets'))
    expect(pairs).toHaveLength(12)
    for (const [front, functions] of pairs) expect(await answer(front, functions)).toBe(200)
  })

  it('refuse callers when a new one is sent in the release that makes it known', async () => {
    const [old = ''] = await texts('origin-secrets')
    expect(await answer('the new secret', old)).toBe(403)
  })
})

describe('the keys of cursors', () => {
  const cursors = (text: string) =>
    cursorsWith(readConfig(['CURSOR_KEYS'], { CURSOR_KEYS: text }).CURSOR_KEYS)
  const isOpened = (cursor: string, text: string) => {
    try {
      return cursors(text).open('events', {}, cursor, z.string()) === 'here'
    } catch {
      return false
    }
  }

  it('rotate, and lists that are read meanwhile go on', async () => {
    const found = await texts('cursor-keys')
    for (const [maker, reader] of meeting(found))
      expect(isOpened(cursors(maker).seal('events', {}, 'here'), reader)).toBe(true)
    expect(isOpened(cursors(found[0] ?? '').seal('events', {}, 'here'), found[3] ?? '')).toBe(false)
  })
})

describe('the key of a provider’s API', () => {
  it('is the new one five minutes after the secret has changed, so that the old one is revoked then', async () => {
    const stripe = { ...SETTINGS['stripe'], apiKey: 'sk_old' }
    const secret = { stripe }
    const sent: string[] = []
    const http = async ({ headers }: { headers?: Readonly<Record<string, string>> }) => {
      sent.push(`${headers?.['authorization']}`)
      return { status: 404, body: '{}' }
    }
    const source = secretSettings(async () => JSON.stringify(secret), clock)
    const providers = openProviders(source, 'prod', {
      http,
      now: clock,
      publicUrl: 'https://api.platform.test',
    })
    const ask = async () =>
      (await providers.find('stripe'))?.readPayment?.({ references: ['pi_1'], payment: null, refundKeys: [] })
    await ask()
    secret.stripe = { ...stripe, apiKey: 'sk_new' }
    await ask()
    elapsed += 5 * MINUTES
    await ask()
    expect(sent.map((header) => header.split(' ')[1])).toEqual(['sk_old', 'sk_old', 'sk_new'])
  })
})

describe('a step', () => {
  it.each([
    ['use', 'holds one key: add another first'],
    ['drop', 'holds one key: add another first'],
  ] as const)('%s is refused before a key was added', async (name, sentence) => {
    await expect(step(name, 'hmac-keys')).rejects.toThrow(sentence)
  })

  it('is refused when it adds a third key, and names a key that is not there', async () => {
    await step('add', 'cursor-keys')
    await expect(step('add', 'cursor-keys')).rejects.toThrow('holds two keys already')
    await expect(
      rotate('add', 'origin-secrets', accountValues('prod', { front: 'off' }), account.read),
    ).rejects.toThrow('The stage has no origin-secrets')
  })
})
