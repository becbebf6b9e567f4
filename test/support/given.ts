import { importJWK, type JWK, SignJWT } from 'jose'
import { inject } from 'vitest'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as register } from '#functions/accounts/register'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { hashPassword } from '#lib/accounts/passwords/password'
import { loginThrottle } from '#lib/accounts/throttle/throttle.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { UserId } from '#lib/kernel/id'
import { call } from './call.ts'

export const PASSWORD = 'a quiet harbour at dusk'

export type GivenUser = { id: string; email: string; token: string; refreshToken: string }

let people = 0

/** One network may register a few accounts only; tests register many. */
const throttle = () => ({ ...loginThrottle.make(), networkLimitFactor: 1_000 })

const hashes = new Map<string, Promise<string>>()

/** The least that Argon2id takes. A hash says its cost, so that checking a password against it costs no more. */
const LEAST_COST = { memory: 8, passes: 1, parallelism: 1 }

/** Hashes each password once: at its real cost Argon2id took a third of the time of all tests of accounts. */
const hashOnce = (password: string): Promise<string> => {
  const hash = hashes.get(password) ?? hashPassword(password, LEAST_COST)
  hashes.set(password, hash)
  return hash
}

/** A user who has just registered. */
export async function aUser(more: Record<string, unknown> = {}): Promise<GivenUser> {
  people += 1
  const email = `person-${people}-${process.pid}@example.com`
  const { status, body, text } = await call(register, {
    body: { email, password: PASSWORD, name: 'Awa Koné', ...more },
    deps: { throttle: throttle(), hashPassword: hashOnce },
  })
  if (status !== 201) throw new Error(text)
  const { user, accessToken, refreshToken } = body
  return { id: user.id, email, token: accessToken, refreshToken }
}

/** A user who has verified their e-mail. */
export async function aProvenUser(more: Record<string, unknown> = {}): Promise<GivenUser> {
  const user = await aUser(more)
  await proveEmail(user.id)
  return user
}

/** Verifies a user's e-mail, as a mailed link would. */
export async function proveEmail(userId: string): Promise<void> {
  const accounts = accountStore.make()
  const account = await accounts.get(UserId.parse(userId))
  if (account)
    await accounts.save(account, { ...account, provenAt: timestamp(new Date()) }, { ifUnchanged: [] })
}

/** A user with a verified e-mail and an agent profile, whose identity is not verified yet. */
export async function anAgent(profile: Record<string, unknown> = {}): Promise<GivenUser> {
  const user = await aProvenUser()
  const { status, text } = await call(putAgentProfile, {
    token: user.token,
    body: { displayName: 'Awa Immobilier', agency: 'Awa & Co', ...profile },
  })
  if (status !== 201) throw new Error(text)
  return user
}

/** An agent whom an administrator has verified. */
export async function aVerifiedAgent(): Promise<GivenUser> {
  const agent = await anAgent()
  await verified(agent.id)
  return agent
}

export async function verified(userId: string): Promise<void> {
  const { status, text } = await call(setKycStatus, {
    token: await consoleToken(),
    body: { userId, kycStatus: 'VERIFIED' },
  })
  if (status !== 200) throw new Error(text)
}

/** A console token as the administrators' OpenID provider signs it; `claims` and `header` make it another. */
export async function consoleToken(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const payload = {
    iss: 'https://console.platform.test',
    aud: 'platform-console',
    sub: 'admin',
    iat: nowSeconds,
    exp: nowSeconds + 600,
    'cognito:groups': ['admins'],
    auth_time: nowSeconds,
    ...claims,
  }
  return signed(
    payload,
    { alg: 'RS256', typ: 'at+jwt', kid: 'console-test', ...header },
    inject('stack').consoleKeys,
  )
}

/** A platform token made by hand, to be wrong in whatever way a test wants. */
export async function platformToken(
  claims: Record<string, unknown>,
  header: Record<string, unknown> = {},
): Promise<string> {
  const nowSeconds = Math.floor(Date.now() / 1000)
  const payload = {
    iss: 'https://api.platform.test',
    aud: 'platform-api',
    iat: nowSeconds,
    exp: nowSeconds + 600,
    jti: 'test',
    auth_time: nowSeconds,
    amr: ['pwd'],
    ...claims,
  }
  return signed(
    payload,
    { alg: 'EdDSA', typ: 'at+jwt', kid: 'platform-test', ...header },
    inject('stack').signingKeys,
  )
}

async function signed(payload: object, header: Record<string, unknown>, keys: object): Promise<string> {
  const [jwk] = (keys as { keys: JWK[] }).keys
  return new SignJWT({ ...payload })
    .setProtectedHeader(header as { alg: string })
    .sign(await importJWK(jwk as JWK, String(header['alg'])))
}
