import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as deleteApiKey } from '#functions/accounts/api-keys/delete-api-key'
import { spec as makeApiKey } from '#functions/accounts/api-keys/make-api-key'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { accountKey } from '#lib/accounts/account.keys'
import { ApiKeyScope } from '#lib/accounts/api-keys/scope'
import { TABLE_WRITES } from '#lib/dynamo/table'
import type { Spec } from '#lib/http/spec'
import { CONSOLE_ROLES, type ConsoleRole } from '#lib/kernel/console-role'
import type { UserId } from '#lib/kernel/id'
import { type Actor, actorOf } from '#test/support/actors'
import { badCredentials } from '#test/support/bad-tokens'
import { call } from '#test/support/call'
import { steppedUp } from '#test/support/factors'
import { endpointSpecs } from '#test/support/function-modules'
import { anAgent, aUser, consoleToken, type GivenUser, platformToken } from '#test/support/given'
import { testTable } from '#test/support/test-table'

type Verdict =
  | 'passes'
  | 'unauthenticated'
  | 'forbidden'
  | 'needs'
  | 'agent_profile_required'
  | 'email_not_verified'
  | 'step_up_required'

const STATUS = {
  unauthenticated: 401,
  forbidden: 403,
  needs: 403,
  agent_profile_required: 403,
  email_not_verified: 403,
  step_up_required: 403,
}

let specs: Spec[]
let user: GivenUser
let agent: GivenUser

beforeAll(async () => {
  specs = await endpointSpecs()
  user = await aUser()
  agent = await anAgent()
})

/** The roles that would do on a route: what an auditor reads changes nothing. */
const rolesThatDo = ({ access: { roles = [] }, route }: Spec): ConsoleRole[] =>
  route.startsWith('GET ') ? [...new Set([...roles, 'auditor' as const])] : [...roles]

/** A request that is wrong in every other way, so that whatever is looked at before the caller would show. */
const wrongInEveryWay = (authorization: string | undefined) => ({
  params: { id: 'nonsense', mediaId: 'nonsense', userId: 'nonsense' },
  query: { limit: '-1', cursor: 'nonsense' },
  rawBody: '{',
  headers: {
    'content-type': 'application/json',
    'idempotency-key': 'not visible: é',
    'if-match': 'nonsense',
    ...(authorization !== undefined && { authorization }),
  },
})

const refusal = (code: keyof typeof STATUS, title: string) => ({
  type: `https://api.platform.test/docs#${code}`,
  title,
  status: STATUS[code],
  code,
  detail: title,
  requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
})

const REFUSALS = {
  unauthenticated: refusal('unauthenticated', 'A valid access token is needed'),
  forbidden: refusal('forbidden', 'The caller may not do this'),
  agent_profile_required: refusal('agent_profile_required', 'An agent profile is needed'),
  email_not_verified: refusal('email_not_verified', 'A verified e-mail is needed'),
}

/** The documented refusal, with the members that its code adds. */
function refusalOf(spec: Spec, verdict: Exclude<Verdict, 'passes'>) {
  if (verdict === 'needs') return { ...REFUSALS.forbidden, needs: rolesThatDo(spec) }
  if (verdict !== 'step_up_required') return REFUSALS[verdict]
  return expect.objectContaining({ status: 403, code: 'step_up_required' })
}

async function expectVerdict(spec: Spec, authorization: string | undefined, verdict: Verdict, who: string) {
  const { status, body, headers } = await call(spec, wrongInEveryWay(authorization))
  const what = `${who} on ${spec.route}`
  if (verdict === 'passes') {
    expect({ what, isRefused: status === 401 || status === 403, isOurFault: status >= 500 }).toEqual({
      what,
      isRefused: false,
      isOurFault: false,
    })
    return
  }
  expect({ what, status, body }).toEqual({ what, status: STATUS[verdict], body: refusalOf(spec, verdict) })
  const challenge = /^bearer\b/i.test(authorization ?? '') ? 'Bearer error="invalid_token"' : 'Bearer'
  expect(headers['www-authenticate'], what).toBe(status === 401 ? challenge : undefined)
  expect(headers['cache-control'], what).toBe('no-store')
}

describe('whoever shows no good credential', () => {
  // Attack: any crack in the verification of tokens is a key to every account. Whatever is wrong with one, the
  // answer is the same to the last byte, so that it does not say what to try next.
  it('gets 401 from every protected route, whatever is wrong, before anything else is looked at', {
    timeout: 120_000,
  }, async () => {
    const bad = await badCredentials(user)
    expect(bad.length).toBeGreaterThanOrEqual(80)
    const isProtected = specs.filter((spec) => actorOf(spec) !== 'public')
    expect(isProtected.length).toBeGreaterThanOrEqual(10)
    for (const spec of isProtected) {
      for (const [why, authorization] of bad) await expectVerdict(spec, authorization, 'unauthenticated', why)
    }
  })

  it('gets 401 without any credential, but where anyone may call', async () => {
    for (const spec of specs) {
      const verdict = ['public', 'anyone', 'anyone without session check'].includes(actorOf(spec))
        ? 'passes'
        : 'unauthenticated'
      await expectVerdict(spec, undefined, verdict, 'nobody')
    }
  })
})

type Row = { who: string; token: () => Promise<string> } & Record<Actor, Verdict>

const everywhere = (verdict: Verdict): Record<Actor, Verdict> => ({
  user: verdict,
  agent: verdict,
  'user with a verified e-mail': verdict,
  administrator: verdict,
  'user or administrator': verdict,
  'user with a verified e-mail or administrator': verdict,
  anyone: verdict,
  'anyone without session check': verdict,
})

/** A token of a live user, with other claims. */
const ofUser = (claims: Record<string, unknown>) => () =>
  platformToken({ ...decodeJwt(user.token), ...claims })

/** A console user without a role is no administrator, and the public where a route is public too. */
const NO_ROLE = {
  ...everywhere('forbidden'),
  administrator: 'needs',
  'user or administrator': 'needs',
  'user with a verified e-mail or administrator': 'needs',
  anyone: 'passes',
  'anyone without session check': 'passes',
} as const

const MATRIX: Row[] = [
  {
    who: 'a user',
    token: async () => user.token,
    ...everywhere('passes'),
    agent: 'agent_profile_required',
    'user with a verified e-mail': 'email_not_verified',
    'user with a verified e-mail or administrator': 'email_not_verified',
    administrator: 'forbidden',
  },
  {
    who: 'an agent whose e-mail is verified',
    token: async () => agent.token,
    ...everywhere('passes'),
    administrator: 'forbidden',
  },
  {
    who: 'a user whose token says that they are an agent and an administrator',
    token: ofUser({ roles: ['user', 'agent', 'admins'], 'cognito:groups': ['admins'], token_use: 'access' }),
    ...everywhere('passes'),
    agent: 'agent_profile_required',
    'user with a verified e-mail': 'email_not_verified',
    'user with a verified e-mail or administrator': 'email_not_verified',
    administrator: 'forbidden',
  },
  {
    who: 'an agent whose token does not say so yet',
    token: () => platformToken({ ...decodeJwt(agent.token), roles: ['user'] }),
    ...everywhere('passes'),
    administrator: 'forbidden',
  },
  {
    who: 'an administrator',
    token: () => consoleToken(),
    ...everywhere('passes'),
    user: 'forbidden',
    agent: 'forbidden',
    'user with a verified e-mail': 'forbidden',
  },
  {
    who: 'an administrator as Cognito marks them',
    token: () =>
      consoleToken(
        { aud: undefined, client_id: 'platform-console', token_use: 'access' },
        { typ: undefined },
      ),
    ...everywhere('passes'),
    user: 'forbidden',
    agent: 'forbidden',
    'user with a verified e-mail': 'forbidden',
  },
  {
    who: 'an administrator who has a user’s id for a subject',
    token: () => consoleToken({ sub: user.id, sid: decodeJwt(user.token)['sid'] }),
    ...everywhere('passes'),
    user: 'forbidden',
    agent: 'forbidden',
    'user with a verified e-mail': 'forbidden',
  },
  {
    who: 'a console user of no group',
    token: () => consoleToken({ 'cognito:groups': undefined }),
    ...NO_ROLE,
  },
  {
    who: 'a console user of other groups',
    token: () => consoleToken({ 'cognito:groups': ['Admins', 'admin', 'admins ', 'super-admins'] }),
    ...NO_ROLE,
  },
  {
    who: 'a console user whose groups hold the group’s name within a text',
    token: () => consoleToken({ 'cognito:groups': 'staff,admins' }),
    ...NO_ROLE,
  },
  {
    who: 'a console user who is an administrator by another claim',
    token: () =>
      consoleToken({ 'cognito:groups': [], groups: ['admins'], roles: ['admins'], scope: 'admins' }),
    ...NO_ROLE,
  },
  {
    who: 'a user who never was',
    token: ofUser({ sub: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    ...everywhere('unauthenticated'),
    'anyone without session check': 'passes',
  },
  {
    who: 'a user with another’s session',
    token: ofUser({ sid: 'ses_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    ...everywhere('unauthenticated'),
    'anyone without session check': 'passes',
  },
  {
    who: 'a user whose session is signed out',
    token: () => withAccount({ sessions: {} }),
    ...everywhere('unauthenticated'),
    'anyone without session check': 'passes',
  },
  {
    who: 'a user whose session has lasted its thirty days',
    token: () => withAccount((sid) => ({ sessions: { [sid]: Math.floor(Date.now() / 1000) } })),
    ...everywhere('unauthenticated'),
    'anyone without session check': 'passes',
  },
  {
    who: 'a banned user',
    token: () => withAccount({ status: 'BANNED' }),
    ...everywhere('unauthenticated'),
    'anyone without session check': 'passes',
  },
  {
    who: 'a user who is gone',
    token: () => withAccount(null),
    ...everywhere('unauthenticated'),
    'anyone without session check': 'passes',
  },
]

/** The token of an agent whose record has been changed since, or removed. */
async function withAccount(change: object | null | ((sid: string) => object)): Promise<string> {
  const { id, token } = await anAgent()
  const key = accountKey(id as UserId)
  const sid = String(decodeJwt(token)['sid'])
  await testTable().commit([
    change === null
      ? TABLE_WRITES.remove(key)
      : TABLE_WRITES.update(key, { set: { ...(typeof change === 'function' ? change(sid) : change) } }),
  ])
  return token
}

describe('whoever shows a good credential', () => {
  it.each(MATRIX)('as $who gets as far as the rights go', async ({ who, token, ...verdicts }) => {
    const authorization = `Bearer ${await token()}`
    for (const spec of specs) {
      const actor = actorOf(spec)
      const verdict = actor === 'public' ? 'passes' : verdicts[actor]
      // The first factor asks for a step-up, whatever the age of the sign-in.
      const isFirstFactor = verdict === 'passes' && spec.access.name.endsWith('for a factor')
      await expectVerdict(spec, authorization, isFirstFactor ? 'step_up_required' : verdict, who)
    }
  })

  it('may write the scheme in any letter case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer   ']) {
      for (const spec of specs.filter((spec) => spec.access.name === 'user')) {
        await expectVerdict(spec, `${scheme} ${user.token}`, 'passes', scheme)
      }
    }
  })

  it('is told from nobody on no public route: a token is not even read there', async () => {
    for (const spec of specs.filter((spec) => actorOf(spec) === 'public')) {
      await expectVerdict(spec, 'Bearer garbage', 'passes', 'garbage')
    }
  })
})

/** The group of each role, as the environment of the tests configures it. */
const GROUPS = JSON.parse(process.env['CONSOLE_ROLES'] ?? '{}') as Record<ConsoleRole, string>

describe('an administrator with one role', () => {
  it.each(CONSOLE_ROLES)('%s gets as far as that role goes, on every route', async (role) => {
    const authorization = `Bearer ${await consoleToken({ 'cognito:groups': ['staff', GROUPS[role]] })}`
    for (const spec of specs) {
      const actor = actorOf(spec)
      const isOfUsers = ['user', 'agent', 'user with a verified e-mail'].includes(actor)
      const needsRole = actor.endsWith('administrator')
      const isRefused = needsRole && !rolesThatDo(spec).includes(role)
      await expectVerdict(spec, authorization, isOfUsers ? 'forbidden' : isRefused ? 'needs' : 'passes', role)
    }
  })

  it('auditor reads every route of administrators and changes nothing by any', async () => {
    for (const spec of specs.filter((spec) => spec.access.roles && !actorOf(spec).startsWith('anyone'))) {
      const does = rolesThatDo(spec).includes('auditor')
      expect({ route: spec.route, does }).toEqual({ route: spec.route, does: spec.route.startsWith('GET ') })
    }
  })

  it('an administrator named as a role, in another group, has no role', async () => {
    const token = await consoleToken({
      'cognito:groups': [...CONSOLE_ROLES, ...CONSOLE_ROLES.map((role) => [GROUPS[role]])],
    })
    for (const spec of specs.filter((spec) => actorOf(spec) === 'administrator')) {
      await expectVerdict(spec, `Bearer ${token}`, 'needs', 'the names of roles')
    }
  })
})

describe('an API key', () => {
  const keyOf = async (scopes: string[], more: Record<string, unknown> = {}) => {
    const token = await steppedUp(agent)
    const { body, text } = await call(makeApiKey, { token, body: { name: 'Our system', scopes, ...more } })
    const { apiKey, key } = body
    if (!apiKey) throw new Error(text)
    return { id: apiKey.id, key, token }
  }

  it.each(ApiKeyScope.options)(
    'a key with %s gets as far as that scope goes, on every route',
    async (scope) => {
      const { id, key, token } = await keyOf([scope])
      for (const spec of specs) {
        const what = `${scope} on ${spec.route}`
        const { status, body } = await call(spec, wrongInEveryWay(`Bearer ${key}`))
        const does = spec.apiKeys?.scopes.includes(scope) === true || actorOf(spec) === 'public'
        const isRead = spec.route === 'GET /listings/{id}'
        if (does || isRead)
          expect({ what, isRefused: status === 401 || status === 403 }).toEqual({ what, isRefused: false })
        else {
          const needs = spec.apiKeys?.scopes ?? []
          expect({ what, status, body }).toEqual({
            what,
            status: 403,
            body: { ...REFUSALS.forbidden, needs },
          })
        }
      }
      await call(deleteApiKey, { token, params: { id } })
    },
  )

  it('has by each scope the routes of the contract, and no other', () => {
    const opened = (needed: ApiKeyScope) =>
      specs.flatMap(({ apiKeys, route }) => (apiKeys?.scopes[0] === needed ? [route] : [])).sort()
    const routes = Object.fromEntries(ApiKeyScope.options.map((scope) => [scope, opened(scope)]))
    expect(routes).toEqual({
      'listings:read': [
        'GET /auth/profile/agent',
        'GET /auth/profile/listings',
        'GET /auth/profile/listings/counts',
        'GET /listings/{id}',
        'GET /listings/{id}/history',
        'GET /listings/{id}/statistics',
      ],
      'listings:write': [
        'DELETE /listings/{id}',
        'DELETE /listings/{id}/media/{mediaId}',
        'DELETE /listings/{id}/revision',
        'PATCH /listings/{id}',
        'PATCH /listings/{id}/media',
        'POST /listings',
        'POST /listings/{id}/media',
        'POST /listings/{id}/media/uploads',
        'POST /listings/{id}/submit',
        'POST /listings/{id}/withdraw',
        'PUT /listings/{id}/availability',
      ],
      'enquiries:read': ['GET /enquiries', 'GET /enquiries/{id}'],
      'enquiries:write': [
        'PATCH /enquiries/{id}',
        'POST /enquiries/{id}/messages',
        'POST /enquiries/{id}/read',
        'POST /enquiries/{id}/reports',
      ],
      'payments:read': [
        'GET /auth/profile/balance',
        'GET /auth/profile/statement',
        'GET /listings/{id}/payments',
        'GET /payment-requests',
        'GET /payment-requests/{id}',
        'GET /payments/{id}/receipt',
      ],
    })
  })

  it('a wrong, expired or deleted key gets 401 where a scope opens the route, and 403 elsewhere', async () => {
    const deleted = await keyOf(['listings:write'])
    expect((await call(deleteApiKey, { token: deleted.token, params: { id: deleted.id } })).status).toBe(204)
    const bad = [
      'pak_',
      'pak_A=',
      `pak_${'A'.repeat(43)}`,
      `pak_${'A'.repeat(5000)}`,
      deleted.key,
      `${deleted.key}x`,
    ]
    for (const key of bad) {
      for (const spec of specs.filter((spec) => actorOf(spec) !== 'public')) {
        const { status, body } = await call(spec, wrongInEveryWay(`Bearer ${key}`))
        const isOpen = spec.apiKeys !== undefined
        expect({ route: spec.route, key: key.slice(0, 50), status }).toEqual({
          route: spec.route,
          key: key.slice(0, 50),
          status: isOpen ? 401 : 403,
        })
        if (!isOpen) expect(body).toMatchObject({ code: 'forbidden', needs: [] })
      }
    }
  })

  it('ends at its time, and with a ban of its agent', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString()
    const { key } = await keyOf(['listings:read'], { expiresAt: soon })
    const read = specs.find(({ route }) => route === 'GET /auth/profile/agent')
    if (!read) throw new Error('There is no such route')
    expect((await call(read, { token: key })).status).toBe(200)
    const late = { now: () => new Date(Date.now() + 61_000) }
    expect((await call(read, { token: key, deps: late })).status).toBe(401)
    const banned = await anAgent()
    const made = await call(makeApiKey, {
      token: await steppedUp(banned),
      body: { name: 'Theirs', scopes: ['listings:read'] },
    })
    const theirs = made.body.key
    expect((await call(read, { token: theirs })).status).toBe(200)
    const ban = {
      params: { id: banned.id },
      body: { status: 'BANNED', reason: 'Spam' },
      token: await consoleToken(),
    }
    expect((await call(updateUser, ban)).status).toBe(200)
    const unban = { ...ban, body: { status: 'ACTIVE' } }
    expect((await call(updateUser, unban)).status).toBe(200)
    expect((await call(read, { token: theirs })).status).toBe(401)
  })
})

describe('a sign-in that is not fresh', () => {
  const hourAgo = Math.floor(Date.now() / 1000) - 3_601

  it.each([
    ['of an hour and a second ago', { auth_time: hourAgo }],
    ['of a time that the issuer does not say', { auth_time: undefined }],
    ['of a time in words', { auth_time: 'today' }],
  ])('%s reads everything, and moves no money and shuts nobody out', async (_when, claims) => {
    const authorization = `Bearer ${await consoleToken(claims)}`
    const fresh = specs.filter(({ access }) => access.name.endsWith('freshly signed in'))
    expect(fresh.length).toBeGreaterThanOrEqual(6)
    for (const spec of specs.filter((spec) => actorOf(spec) === 'administrator')) {
      const verdict = fresh.includes(spec) ? 'step_up_required' : 'passes'
      await expectVerdict(spec, authorization, verdict, 'an old sign-in')
    }
  })
})

describe('a machine of the operator', () => {
  const machine = (claims: Record<string, unknown> = {}) =>
    consoleToken({
      sub: 'machine-books',
      client_id: 'machine-books',
      'cognito:groups': undefined,
      auth_time: undefined,
      ...claims,
    })

  it('has the roles of its client, whatever else it claims, and is never freshly signed in', async () => {
    const claims = { 'cognito:groups': ['admins'], auth_time: Math.floor(Date.now() / 1000) }
    for (const token of [await machine(), await machine({ aud: undefined }), await machine(claims)]) {
      for (const spec of specs.filter((spec) => actorOf(spec) === 'administrator')) {
        const does = ['payments', 'auditor'].some((role) => rolesThatDo(spec).includes(role as ConsoleRole))
        const isFresh = spec.access.name.endsWith('freshly signed in')
        await expectVerdict(
          spec,
          `Bearer ${token}`,
          does ? (isFresh ? 'step_up_required' : 'passes') : 'needs',
          'a machine',
        )
      }
    }
  })

  it.each([
    ['that is not configured', { sub: 'machine-x', client_id: 'machine-x' }],
    ['of a name that every object has', { sub: 'constructor', client_id: 'constructor' }],
    ['for another audience', { aud: 'another' }],
    ['that acts for a person', { sub: 'ada', 'cognito:groups': ['admins'] }],
    [
      'whose subject looks like a machine’s name',
      { sub: 'client:machine-books', client_id: 'platform-console' },
    ],
    [
      'that is the console’s own client',
      { sub: 'platform-console', client_id: 'platform-console', 'cognito:groups': ['admins'] },
    ],
  ])('%s gets 401 wherever a credential is read', async (_what, claims) => {
    const token = await machine(claims)
    for (const spec of specs.filter((spec) => actorOf(spec) !== 'public')) {
      await expectVerdict(spec, `Bearer ${token}`, 'unauthenticated', 'a strange machine')
    }
  })

  it('is named by `azp` where the issuer spells its client so', async () => {
    const token = await machine({ client_id: undefined, azp: 'machine-books' })
    for (const spec of specs.filter(({ route }) => route === 'GET /admin/payments')) {
      await expectVerdict(spec, `Bearer ${token}`, 'passes', 'a machine')
    }
  })
})
