import { serialize } from 'node:v8'
import { importJWK, type JWK, SignJWT } from 'jose'
import { inject } from 'vitest'
import { openAccounts } from '#lib/accounts/account-store.dynamo'
import { AgentProfileInput, putAgentProfile } from '#lib/accounts/agent-profile'
import { hashPassword } from '#lib/accounts/passwords/password'
import { passwordMinLength } from '#lib/accounts/passwords/password-settings'
import { openPasswords } from '#lib/accounts/passwords/password-store.dynamo'
import { Registration, register } from '#lib/accounts/register'
import { tokenIssuer } from '#lib/accounts/sessions/token-issuer'
import { openCounters } from '#lib/accounts/throttle/counters.dynamo'
import { hmacKeys } from '#lib/config/keys'
import type { Table } from '#lib/dynamo/table'
import { openJournal } from '#lib/journal/journal.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { newId, UserId } from '#lib/kernel/id'
import { decideKyc } from '#lib/kyc/decide'
import { openKycStore } from '#lib/kyc/kyc-store.dynamo'
import { openMailRequests } from '#lib/mail/mail-requests.dynamo'
import { memoryTable } from './memory-table.ts'
import { testTable } from './test-table.ts'

export const PASSWORD = 'a quiet harbour at dusk'

export type GivenUser = { id: string; email: string; token: string; refreshToken: string }

let people = 0

const hashes = new Map<string, Promise<string>>()

/** The least that Argon2id takes. A hash says its cost, so that checking a password against it costs no more. */
const LEAST_COST = { memory: 8, passes: 1, parallelism: 1 }

/** Hashes each password once, for tests whose subject is not the password: at its real cost a hash takes 34 ms. */
export const hashOnce = (password: string): Promise<string> => {
  const hash = hashes.get(password) ?? hashPassword(password, LEAST_COST)
  hashes.set(password, hash)
  return hash
}

/**
 * Runs use cases on a table in memory and stores what they wrote with one request: by their endpoints a verified agent
 * took thirty. `given.test.ts` holds the records to those of the endpoints.
 */
async function stored<T>(act: (table: Table) => Promise<T>): Promise<T> {
  const table = memoryTable()
  const result = await act(table)
  await testTable().writeEach(table.items().map((put) => ({ put })))
  return result
}

const now = () => new Date()

/** A user who has just registered. */
export const aUser = (more: Record<string, unknown> = {}): Promise<GivenUser> =>
  stored((table) => registered(table, more))

/** A user who has verified their e-mail. */
export const aProvenUser = (more: Record<string, unknown> = {}): Promise<GivenUser> =>
  stored((table) => proven(table, more))

/** A user with a verified e-mail and an agent profile, whose identity is not verified yet. */
export const anAgent = (profile: Record<string, unknown> = {}): Promise<GivenUser> =>
  stored((table) => withProfile(table, profile))

/** An agent whom an administrator has verified. */
export const aVerifiedAgent = (): Promise<GivenUser> =>
  stored(async (table) => {
    const agent = await withProfile(table, {})
    await decidedVerified(table, agent.id)
    return agent
  })

/** Verifies a user's e-mail, as a mailed link would. */
export const proveEmail = (userId: string): Promise<void> => provenEmail(testTable(), userId)

/** Verifies a user's identity, as an administrator would. */
export const verified = (userId: string): Promise<void> => decidedVerified(testTable(), userId)

async function registered(table: Table, more: Record<string, unknown>): Promise<GivenUser> {
  people += 1
  const email = `person-${people}-${process.pid}@example.com`
  const { user, accessToken, refreshToken } = await register(
    {
      accounts: openAccounts(table),
      passwords: openPasswords(table),
      mails: openMailRequests(table),
      throttle: { counters: openCounters(table), networkLimitFactor: 1 },
      issueAccessToken: tokenIssuer.make(),
      hmacKeys: hmacKeys.make(),
      passwordMinLength: passwordMinLength.make(),
      hashPassword: hashOnce,
      now,
      newId,
    },
    Registration.parse({ email, password: PASSWORD, name: 'Awa Koné', ...more }),
    { ipAddress: '203.0.113.7', userAgent: null, acceptLanguage: null },
  )
  return { id: user.id, email, token: accessToken, refreshToken }
}

async function proven(table: Table, more: Record<string, unknown>): Promise<GivenUser> {
  const user = await registered(table, more)
  await provenEmail(table, user.id)
  return user
}

async function provenEmail(table: Table, userId: string): Promise<void> {
  const accounts = openAccounts(table)
  const account = await accounts.get(UserId.parse(userId))
  if (account) await accounts.save(account, { ...account, provenAt: timestamp(now()) })
}

async function withProfile(table: Table, profile: Record<string, unknown>): Promise<GivenUser> {
  const user = await proven(table, {})
  const accounts = openAccounts(table)
  const account = await accounts.get(UserId.parse(user.id))
  if (!account) throw new Error(`There is no ${user.id}`)
  const input = { displayName: 'Awa Immobilier', agency: 'Awa & Co', ...profile }
  await putAgentProfile({ accounts, now }, account, AgentProfileInput.parse(input))
  return user
}

async function decidedVerified(table: Table, userId: string): Promise<void> {
  const deps = {
    once: { receipt: () => [] },
    accounts: openAccounts(table),
    kycStore: openKycStore(table),
    journal: openJournal(table),
    now,
    newId,
  }
  await decideKyc(deps, 'admin', { userId, kycStatus: 'VERIFIED' }, undefined)
}

const consoleTokens = new Map<string, { seconds: number; token: Promise<string> }>()
const KEPT_SECONDS = 60

/**
 * A console token as the administrators' OpenID provider signs it; `claims` and `header` make it another. Tokens with the
 * same claims are one for a minute: a signature by RSA takes as long as a request.
 */
export function consoleToken(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000)
  // As text of JSON a claim that is undefined would be none.
  const key = serialize([claims, header]).toString('base64')
  const known = consoleTokens.get(key)
  if (known && Math.abs(seconds - known.seconds) < KEPT_SECONDS) return known.token
  const token = signedConsoleToken(seconds, claims, header)
  consoleTokens.set(key, { seconds, token })
  return token
}

async function signedConsoleToken(
  nowSeconds: number,
  claims: Record<string, unknown>,
  header: Record<string, unknown>,
): Promise<string> {
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
