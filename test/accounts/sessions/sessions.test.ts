import { decodeJwt, exportJWK, generateKeyPair } from 'jose'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as endSession } from '#functions/accounts/sessions/end-session'
import { spec as listSessions } from '#functions/accounts/sessions/list-sessions'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as logout } from '#functions/accounts/sessions/logout'
import { spec as refresh } from '#functions/accounts/sessions/refresh'
import { accounts as accountStore } from '#lib/accounts/account-store.dynamo'
import { isKnownNetwork } from '#lib/accounts/throttle/known-networks'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import { call } from '#test/support/call'
import { eventsAbout } from '#test/support/events'
import { aUser, type GivenUser, PASSWORD } from '#test/support/given'

type Pair = { accessToken: string; refreshToken: string; tokenType: string; expiresIn: number }

const SECONDS = 1000
const DAYS = 24 * 60 * 60 * SECONDS

const later = (milliseconds: number) => {
  const moment = Date.now() + milliseconds
  return { now: () => new Date(moment) }
}

const refreshed = (refreshToken: unknown, milliseconds = 0, device: object = {}) =>
  call(refresh, { ...device, body: { refreshToken }, deps: later(milliseconds) })

const pairOf = async (refreshToken: string, milliseconds = 0): Promise<Pair> => {
  const { status, body, text } = await refreshed(refreshToken, milliseconds)
  if (status !== 200) throw new Error(text)
  return body
}

const signedIn = async ({ email }: GivenUser, device: object = {}): Promise<Pair> => {
  const { status, body, text } = await call(login, { body: { email, password: PASSWORD }, ...device })
  if (status !== 200) throw new Error(text)
  return body
}

const profile = async (token: string) => (await call(getProfile, { token })).status

const REFUSED = { status: 401, body: { code: 'invalid_refresh_token' } }

describe('a refresh token', () => {
  it('is spent for the next pair, and the access tokens of both go on working', async () => {
    const user = await aUser()
    const next = await pairOf(user.refreshToken)
    expect(next).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.stringMatching(/^rft_/),
      tokenType: 'Bearer',
      expiresIn: 600,
    })
    expect(next.refreshToken).not.toBe(user.refreshToken)
    expect(await Promise.all([user.token, next.accessToken].map(profile))).toEqual([200, 200])
  })

  it('brings the roles that the user has now', async () => {
    const user = await aUser()
    await call(putAgentProfile, { token: user.token, body: { displayName: 'Awa' } })
    const { accessToken } = await pairOf(user.refreshToken)
    expect(decodeJwt(accessToken)['roles']).toEqual(['user', 'agent'])
  })

  it('answers a retry within ten seconds with the very pair that the first try got', async () => {
    const { refreshToken } = await aUser()
    const first = await pairOf(refreshToken)
    const second = await pairOf(refreshToken, 4 * SECONDS)
    expect({ ...second, expiresIn: 0 }).toEqual({ ...first, expiresIn: 0 })
    expect(first.expiresIn - second.expiresIn).toBeGreaterThanOrEqual(3)
  })

  it('answers a tab that fell several refreshes behind within ten seconds with the current pair', async () => {
    const { refreshToken } = await aUser()
    const second = await pairOf(refreshToken, 1 * SECONDS)
    const third = await pairOf(second.refreshToken, 2 * SECONDS)
    expect((await pairOf(refreshToken, 9 * SECONDS)).refreshToken).toBe(third.refreshToken)
  })

  // A stolen token is shown by the thief or by the user, whoever comes second. Neither can be told from the
  // other, so the session ends for both.
  it('shown again after more than ten seconds ends the session', async () => {
    const user = await aUser()
    const elsewhere = await signedIn(user)
    const next = await pairOf(user.refreshToken)
    expect(await refreshed(user.refreshToken, 11 * SECONDS)).toMatchObject(REFUSED)
    expect(await refreshed(next.refreshToken, 12 * SECONDS)).toMatchObject(REFUSED)
    expect(await eventsAbout(String(decodeJwt(user.token)['sid']))).toMatchObject([
      { type: 'session.reused', data: { userId: user.id } },
    ])
    expect(await profile(next.accessToken)).toBe(401)
    expect(await profile(elsewhere.accessToken)).toBe(200)
  })

  it('shown too late by many at once is announced once', async () => {
    const user = await aUser()
    await pairOf(user.refreshToken)
    const late = await Promise.all(
      Array.from({ length: 8 }, () => refreshed(user.refreshToken, 11 * SECONDS)),
    )
    expect(late.map(({ status }) => status)).toEqual(Array(8).fill(401))
    expect(await eventsAbout(String(decodeJwt(user.token)['sid']))).toHaveLength(1)
  })

  it('used from many networks leaves the account the twenty newest of them', async () => {
    const user = await aUser()
    let { refreshToken } = user
    for (let network = 1; network <= 21; network += 1) {
      const device = { ipAddress: `198.51.100.${network}` }
      refreshToken = (await refreshed(refreshToken, network * SECONDS, device)).body.refreshToken
    }
    const account = await accountStore.make().get(UserId.parse(user.id))
    if (!account) throw new Error('There is no account')
    expect(Object.keys(account.knownNetworks)).toHaveLength(20)
    expect(isKnownNetwork(account, '198.51.100.21')).toBe(true)
    expect(isKnownNetwork(account, '198.51.100.1')).toBe(false)
  })

  it('lives thirty days from its last use, for as long as it is used', async () => {
    let { refreshToken } = await aUser()
    for (const days of [20, 40, 55]) refreshToken = (await pairOf(refreshToken, days * DAYS)).refreshToken
    expect(await refreshed(refreshToken, 86 * DAYS)).toMatchObject(REFUSED)
  })

  it('is refused when it was never one, and ends nothing', async () => {
    const { refreshToken, token } = await aUser()
    const [id, generation, mac = ''] = refreshToken.split('.')
    const forged = [
      'rft_01KAH3M6XQ8ZJ4T2V7W9C5RBND.1.x',
      `${id}.0.${mac}`,
      `${id}.2.${mac}`,
      `${id}.01.${mac}`,
      `${id}.${generation}.${[...mac].reverse().join('')}`,
      `${id}.${generation}.`,
      `${refreshToken} `,
      `${refreshToken}=`,
      refreshToken.slice(0, -1),
      token,
      'x',
    ]
    for (const wrong of forged) expect(await refreshed(wrong), wrong).toMatchObject(REFUSED)
    expect(await refreshed('')).toMatchObject({ status: 400 })
    expect(await refreshed(['rft_'])).toMatchObject({ status: 400 })
    expect((await pairOf(refreshToken)).tokenType).toBe('Bearer')
  })

  it('shown by eight tabs of fifty sessions at once loses nobody, time and again', {
    timeout: 120_000,
  }, async () => {
    const user = await aUser()
    // Few at once: an account has ten undecided trials, and more of them wait for their turn.
    const sessions = await inParallel(Array.from({ length: 49 }), () => signedIn(user), { width: 5 })
    let tokens = [user.refreshToken, ...sessions.map(({ refreshToken }) => refreshToken)]
    // Eight tabs ask in one moment, however long a busy machine takes to answer all of them.
    const at = new Date()
    const atOnce = (refreshToken: string) =>
      call(refresh, { body: { refreshToken }, deps: { now: () => at } })
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(
        tokens.map((token) => Promise.all(Array.from({ length: 8 }, () => atOnce(token)))),
      )
      const statuses = answers.flat().map(({ status }) => status)
      expect(statuses.filter((status) => status !== 200)).toEqual([])
      const pairs = answers.map((tabs) => tabs.map(({ body }) => body))
      for (const tabs of pairs) {
        expect(new Set(tabs.map(({ accessToken }) => accessToken)).size).toBe(1)
        expect(new Set(tabs.map(({ refreshToken }) => refreshToken)).size).toBe(1)
      }
      tokens = pairs.map(([pair]) => `${pair?.refreshToken}`)
    }
    expect(new Set(tokens).size).toBe(50)
  })
})

describe('keys that rotate', () => {
  const withVariable = (name: string, value: string) => {
    const before = process.env[name]
    process.env[name] = value
    onTestFinished(() => {
      process.env[name] = before
    })
  }

  it('sign nobody out: a new signing key takes over while tokens of the older one go on', async () => {
    const user = await aUser()
    const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    const newer = { ...(await exportJWK(privateKey)), kid: 'newer', alg: 'EdDSA', use: 'sig' }
    const { d: _secret, ...published } = newer
    const signing = inject('stack').signingKeys as { keys: object[] }
    const known = JSON.parse(process.env['AUTH_JWKS'] ?? '') as { keys: object[] }
    withVariable('AUTH_JWKS', JSON.stringify({ keys: [...known.keys, published] }))
    withVariable('AUTH_SIGNING_KEYS', JSON.stringify({ keys: [newer, ...signing.keys] }))

    const { accessToken } = await pairOf(user.refreshToken)
    expect(JSON.parse(Buffer.from(accessToken.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
      kid: 'newer',
    })
    expect(await Promise.all([accessToken, user.token].map(profile))).toEqual([200, 200])
  })

  it('take refresh tokens of an older HMAC key, a retry across the change included', async () => {
    const { refreshToken } = await aUser()
    const underOlder = await pairOf(refreshToken)
    const newer = Buffer.alloc(32, 9).toString('base64url')
    withVariable('HMAC_KEYS', `${newer},${process.env['HMAC_KEYS']}`)
    expect((await pairOf(refreshToken)).refreshToken).toBe(underOlder.refreshToken)
    const underNewer = await pairOf(underOlder.refreshToken)
    withVariable('HMAC_KEYS', newer)
    expect((await pairOf(underNewer.refreshToken)).tokenType).toBe('Bearer')
    expect(await refreshed(underOlder.refreshToken)).toMatchObject(REFUSED)
  })

  it('a retry is refused once the key of the pair that it would receive has been withdrawn', async () => {
    const { refreshToken } = await aUser()
    const older = process.env['HMAC_KEYS'] ?? ''
    withVariable('HMAC_KEYS', `${Buffer.alloc(32, 9).toString('base64url')},${older}`)
    await pairOf(refreshToken)
    withVariable('HMAC_KEYS', older)
    expect(await refreshed(refreshToken)).toMatchObject(REFUSED)
  })
})

describe('signing out', () => {
  it('ends this session at once and no other', async () => {
    const user = await aUser()
    const other = await signedIn(user)
    expect(await call(logout, { token: user.token })).toMatchObject({ status: 204, text: '' })
    expect(await profile(user.token)).toBe(401)
    expect(await refreshed(user.refreshToken)).toMatchObject(REFUSED)
    expect(await profile(other.accessToken)).toBe(200)
  })

  it('ends all sessions when asked to', async () => {
    const user = await aUser()
    const other = await signedIn(user)
    expect(await call(logout, { token: user.token, body: { all: true } })).toMatchObject({ status: 204 })
    expect(await Promise.all([user.token, other.accessToken].map(profile))).toEqual([401, 401])
    expect(await refreshed(other.refreshToken)).toMatchObject(REFUSED)
    expect((await signedIn(user)).tokenType).toBe('Bearer')
  })

  it('refuses what is not a yes or no, and whoever is not signed in', async () => {
    const { token } = await aUser()
    expect(await call(logout, { token, body: { all: 'yes' } })).toMatchObject({ status: 400 })
    expect(await call(logout, { body: { all: 'yes' } })).toMatchObject({ status: 401 })
  })
})

describe('the list of sessions', () => {
  type Page = {
    items: { id: string; current: boolean; userAgent: string | null }[]
    nextCursor: string | null
  }
  const listed = async (token: string, query: Record<string, string> = {}): Promise<Page> =>
    (await call(listSessions, { token, query })).body

  it('shows each device, the newest sign-in first, and which one asks', async () => {
    const user = await aUser()
    const device = { ipAddress: '198.51.100.4', headers: { 'user-agent': 'Telephone/1' } }
    const phone = await signedIn(user, device)
    const { items, nextCursor } = await listed(user.token)
    expect(nextCursor).toBeNull()
    expect(items).toHaveLength(2)
    expect(items.find(({ current }) => !current)).toEqual({
      id: decodeJwt(phone.accessToken)['sid'],
      createdAt: expect.stringMatching(/Z$/),
      lastUsedAt: expect.stringMatching(/Z$/),
      ipAddress: '198.51.100.4',
      userAgent: 'Telephone/1',
      current: false,
    })
    expect(items.find(({ current }) => current)).toMatchObject({ userAgent: null })
  })

  it('shows the beginning of a long name of a browser, cut at a character', async () => {
    const user = await aUser()
    const name = 'a'.repeat(499)
    await signedIn(user, { headers: { 'user-agent': `${name}\u{1f600}` } })
    const { items } = await listed(user.token)
    expect(items.map(({ userAgent }) => userAgent)).toContain(`${name}\ufffd`)
  })

  it('shows where a session was last refreshed', async () => {
    const user = await aUser()
    await refreshed(user.refreshToken, 0, { ipAddress: '198.51.100.9' })
    expect((await listed(user.token)).items).toMatchObject([{ ipAddress: '198.51.100.9', current: true }])
  })

  it('is read page by page, and by its owner only', async () => {
    const [user, other] = [await aUser(), await aUser()]
    await Promise.all([signedIn(user), signedIn(user)])
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: Page = await listed(user.token, { limit: '1', ...(cursor && { cursor }) })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
      if (cursor) {
        const stolen = await call(listSessions, { token: other.token, query: { cursor } })
        expect(stolen).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } })
      }
    } while (cursor)
    expect(seen).toEqual([...new Set(seen)].sort().reverse())
    expect(seen).toHaveLength(3)
    expect((await listed(other.token)).items).toHaveLength(1)
    expect(await call(listSessions, { token: user.token, query: { limit: '0' } })).toMatchObject({
      status: 400,
    })
  })

  it('names no next page after one that shows the last device', async () => {
    const user = await aUser()
    await signedIn(user)
    const { items, nextCursor } = await listed(user.token, { limit: '2' })
    expect([items.length, nextCursor]).toEqual([2, null])
  })

  it('ends one of its sessions, whose tokens are refused from then on', async () => {
    const user = await aUser()
    const phone = await signedIn(user)
    const id = String(decodeJwt(phone.accessToken)['sid'])
    expect(await call(endSession, { token: user.token, params: { id } })).toMatchObject({ status: 204 })
    expect(await profile(phone.accessToken)).toBe(401)
    expect(await refreshed(phone.refreshToken)).toMatchObject(REFUSED)
    expect(await call(endSession, { token: user.token, params: { id } })).toMatchObject({ status: 404 })
  })

  it('knows no session of anyone else', async () => {
    const [user, other] = [await aUser(), await aUser()]
    for (const id of [String(decodeJwt(other.token)['sid']), 'ses_01KAH3M6XQ8ZJ4T2V7W9C5RBND', 'x']) {
      expect(await call(endSession, { token: user.token, params: { id } })).toMatchObject({ status: 404 })
    }
    expect(await profile(other.token)).toBe(200)
  })
})

describe('a sign-in whose account cannot be read', () => {
  it('is answered 503 while its attempt is still being counted, and leaves no rejection unhandled', async () => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    onTestFinished(() => void process.off('unhandledRejection', note))
    const accounts = { byEmail: () => Promise.reject(new DomainError('unavailable')) }
    const body = { email: 'awa@example.com', password: PASSWORD }
    const { status } = await call(login, { body, deps: { accounts } })
    expect([status, unhandled]).toEqual([503, []])
  })
})
