import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { accountKey } from '#lib/accounts/account.keys'
import { openTable } from '#lib/dynamo/table'
import type { Spec } from '#lib/http/spec'
import type { UserId } from '#lib/kernel/id'
import { badCredentials } from '#test/support/bad-tokens'
import { call } from '#test/support/call'
import { endpointSpecs } from '#test/support/function-modules'
import { anAgent, aUser, consoleToken, type GivenUser, platformToken } from '#test/support/given'

/** Whoever may call, by the words of `spec.access`. */
type AccessName =
  | 'user'
  | 'agent'
  | 'user with a proven e-mail'
  | 'administrator'
  | 'user or administrator'
  | 'anyone'
  | 'visitor'
type Verdict = 'passes' | 'unauthenticated' | 'forbidden' | 'agent_profile_required' | 'email_not_verified'

const STATUS = { unauthenticated: 401, forbidden: 403, agent_profile_required: 403, email_not_verified: 403 }

let specs: Spec[]
let user: GivenUser
let agent: GivenUser

beforeAll(async () => {
  specs = await endpointSpecs()
  user = await aUser()
  agent = await anAgent()
  const key = accountKey(agent.id as UserId)
  await openTable(process.env['TABLE_NAME'] ?? '').commit([{ update: key, set: { emailVerified: true } }])
})

const nameOf = ({ access }: Spec) => access.name as AccessName | 'public'

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
  expect({ what, status, body }).toEqual({ what, status: STATUS[verdict], body: REFUSALS[verdict] })
  expect(headers['www-authenticate'], what).toBe(status === 401 ? 'Bearer' : undefined)
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
    const isProtected = specs.filter((spec) => nameOf(spec) !== 'public')
    expect(isProtected.length).toBeGreaterThanOrEqual(10)
    for (const spec of isProtected) {
      for (const [why, authorization] of bad) await expectVerdict(spec, authorization, 'unauthenticated', why)
    }
  })

  it('gets 401 without any credential, but where anyone may call', async () => {
    for (const spec of specs) {
      const name = nameOf(spec)
      const verdict = ['public', 'anyone', 'visitor'].includes(name) ? 'passes' : 'unauthenticated'
      await expectVerdict(spec, undefined, verdict, 'nobody')
    }
  })
})

type Row = { who: string; token: () => Promise<string> } & Record<AccessName, Verdict>

const everywhere = (verdict: Verdict): Record<AccessName, Verdict> => ({
  user: verdict,
  agent: verdict,
  'user with a proven e-mail': verdict,
  administrator: verdict,
  'user or administrator': verdict,
  anyone: verdict,
  visitor: verdict,
})

/** A token of a live user, with other claims. */
const ofUser = (claims: Record<string, unknown>) => () =>
  platformToken({ ...decodeJwt(user.token), ...claims })

const MATRIX: Row[] = [
  {
    who: 'a user',
    token: async () => user.token,
    ...everywhere('passes'),
    agent: 'agent_profile_required',
    'user with a proven e-mail': 'email_not_verified',
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
    'user with a proven e-mail': 'email_not_verified',
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
    'user with a proven e-mail': 'forbidden',
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
    'user with a proven e-mail': 'forbidden',
  },
  {
    who: 'an administrator who has a user’s id for a subject',
    token: () => consoleToken({ sub: user.id, sid: decodeJwt(user.token)['sid'] }),
    ...everywhere('passes'),
    user: 'forbidden',
    agent: 'forbidden',
    'user with a proven e-mail': 'forbidden',
  },
  {
    who: 'a console user of no group',
    token: () => consoleToken({ 'cognito:groups': undefined }),
    ...everywhere('forbidden'),
  },
  {
    who: 'a console user of other groups',
    token: () => consoleToken({ 'cognito:groups': ['Admins', 'admin', 'admins ', 'super-admins'] }),
    ...everywhere('forbidden'),
  },
  {
    who: 'a console user whose groups hold the group’s name within a text',
    token: () => consoleToken({ 'cognito:groups': 'staff,admins' }),
    ...everywhere('forbidden'),
  },
  {
    who: 'a console user who is an administrator by another claim',
    token: () =>
      consoleToken({ 'cognito:groups': [], groups: ['admins'], roles: ['admins'], scope: 'admins' }),
    ...everywhere('forbidden'),
  },
  {
    who: 'a user who never was',
    token: ofUser({ sub: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    ...everywhere('unauthenticated'),
    anyone: 'passes',
  },
  {
    who: 'a user with another’s session',
    token: ofUser({ sid: 'ses_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    ...everywhere('unauthenticated'),
    anyone: 'passes',
  },
  {
    who: 'a user whose session is signed out',
    token: () => withAccount({ sessions: {} }),
    ...everywhere('unauthenticated'),
    anyone: 'passes',
  },
  {
    who: 'a user whose session has lasted its thirty days',
    token: () => withAccount((sid) => ({ sessions: { [sid]: Math.floor(Date.now() / 1000) } })),
    ...everywhere('unauthenticated'),
    anyone: 'passes',
  },
  {
    who: 'a banned user',
    token: () => withAccount({ status: 'BANNED' }),
    ...everywhere('unauthenticated'),
    anyone: 'passes',
  },
  {
    who: 'a user who is gone',
    token: () => withAccount(null),
    ...everywhere('unauthenticated'),
    anyone: 'passes',
  },
]

/** The token of an agent whose record has been changed since, or removed. */
async function withAccount(change: object | null | ((sid: string) => object)): Promise<string> {
  const { id, token } = await anAgent()
  const key = accountKey(id as UserId)
  const sid = String(decodeJwt(token)['sid'])
  await openTable(process.env['TABLE_NAME'] ?? '').commit([
    change === null
      ? { remove: key }
      : { update: key, set: { ...(typeof change === 'function' ? change(sid) : change) } },
  ])
  return token
}

describe('whoever shows a good credential', () => {
  it.each(MATRIX)('as $who gets as far as the rights go', async ({ who, token, ...verdicts }) => {
    const authorization = `Bearer ${await token()}`
    for (const spec of specs) {
      const name = nameOf(spec)
      await expectVerdict(spec, authorization, name === 'public' ? 'passes' : verdicts[name], who)
    }
  })

  it('may write the scheme in any letter case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer   ']) {
      for (const spec of specs.filter((spec) => nameOf(spec) === 'user')) {
        await expectVerdict(spec, `${scheme} ${user.token}`, 'passes', scheme)
      }
    }
  })

  it('is told from nobody on no public route: a token is not even read there', async () => {
    for (const spec of specs.filter((spec) => nameOf(spec) === 'public')) {
      await expectVerdict(spec, 'Bearer garbage', 'passes', 'garbage')
    }
  })
})
