import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { CONSOLE_ROLES } from '#lib/kernel/console-role'
import { consoleToken, machineToken } from '#lib/local/commands/token'
import { DEMO_PASSWORD } from '#lib/local/demo/demo-data'
import { machineOf } from '#lib/local/environment'
import type { FuzzAnswer } from './check-answer.ts'
import { PASSWORD } from './make-values.ts'

/** Somebody who calls. `scheme` is the document's name of their credential. */
export type Caller = {
  name: string
  scheme: 'none' | 'platform' | 'console' | 'apiKey'
  authorization: string | undefined
  /** Makes the caller anew, whose credential is good no longer; undefined where there is nothing to make. */
  renew?: () => Promise<Caller>
}

type Stack = { url: string; port: number; directory: string }
type Session = { accessToken: string; user: { id: string; email: string } }

/** Everyone: strangers, users, agents and their keys, administrators of each role, and machines. */
export async function openCallers({ url, port, directory }: Stack): Promise<Caller[]> {
  const place = { port, directory }
  const administrators = await Promise.all([
    consoleToken(place, { sub: 'admin' }).then((token) => administrator('administrator', token)),
    consoleToken(place, { sub: 'second' }).then((token) => administrator('second administrator', token)),
    consoleToken(place, { sub: 'old', authAgeSeconds: 100_000 }).then((token) =>
      administrator('administrator of an old sign-in', token),
    ),
    consoleToken(place, { sub: 'guest', group: 'guests' }).then((token) => administrator('guest', token)),
    ...CONSOLE_ROLES.map(async (role) =>
      administrator(role, await consoleToken(place, { sub: role, group: role })),
    ),
    ...CONSOLE_ROLES.map(async (role) =>
      administrator(`machine of ${role}`, await machineToken(place, machineOf(role))),
    ),
  ])
  const full = administrators[0]?.authorization ?? ''
  const demo = await send<Session>(url, 'POST', '/auth/login', undefined, {
    email: 'awa@example.com',
    password: DEMO_PASSWORD,
  })
  const awa = `Bearer ${demo.accessToken}`
  const agents = await Promise.all([0, 1].map(() => newAgent(url, full)))
  const users = await Promise.all([0, 1, 2].map(() => newUser(url)))
  const keys = await Promise.all([
    newKey(url, awa),
    ...agents.map((agent) => newKey(url, agent.authorization ?? '')),
  ])
  return [
    { name: 'stranger', scheme: 'none', authorization: undefined },
    { name: 'demo agent', scheme: 'platform', authorization: awa, renew: () => newAgent(url, full) },
    ...agents,
    ...users,
    ...keys,
    ...administrators,
  ]
}

const administrator = (name: string, token: string): Caller => ({
  name,
  scheme: 'console',
  authorization: `Bearer ${token}`,
})

/** A user whose address is proven. */
export async function newUser(url: string): Promise<Caller & { id: string }> {
  const email = `${randomUUID()}@example.com`
  const { accessToken, user } = await send<Session>(url, 'POST', '/auth/register', undefined, {
    email,
    password: PASSWORD,
    name: 'Kofi Mensah',
    phone: '+2250500000000',
  })
  await send(url, 'POST', '/auth/email/verify', undefined, { token: await mailedToken(url, email) })
  return {
    name: 'user',
    scheme: 'platform',
    authorization: `Bearer ${accessToken}`,
    id: user.id,
    renew: () => newUser(url),
  }
}

/** An agent whom an administrator has verified. */
export async function newAgent(url: string, administratorAuthorization: string): Promise<Caller> {
  const { id, authorization } = await newUser(url)
  await send(url, 'PUT', '/auth/profile/agent', authorization, { displayName: 'Kofi Immobilier' })
  await send(url, 'PATCH', '/auth/kyc', administratorAuthorization, { userId: id, kycStatus: 'VERIFIED' })
  return {
    name: 'agent',
    scheme: 'platform',
    authorization,
    renew: () => newAgent(url, administratorAuthorization),
  }
}

async function newKey(url: string, authorization: string): Promise<Caller> {
  const { key } = await send<{ key: string }>(url, 'POST', '/auth/api-keys', authorization, {
    name: 'Import',
    scopes: ['listings:write', 'enquiries:write', 'payments:read'],
  })
  return { name: 'API key', scheme: 'apiKey', authorization: `Bearer ${key}` }
}

async function mailedToken(url: string, email: string): Promise<string> {
  for (;;) {
    const { items } = await send<{ items: { text: string }[] }>(
      url,
      'GET',
      `/local/mail?to=${encodeURIComponent(email)}`,
    )
    const [token] = items.flatMap(({ text }) => /[?&]token=([\w.-]+)/.exec(text)?.[1] ?? [])
    if (token !== undefined) return token
    await wait(100)
  }
}

async function send<Answer>(
  url: string,
  method: string,
  path: string,
  authorization?: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization !== undefined && { authorization }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Answer
}

/** Makes a caller anew whose session, account or key has ended, as a refusal says. */
export async function renewCaller(
  url: string,
  callers: Caller[],
  caller: Caller,
  { status, text }: FuzzAnswer,
): Promise<void> {
  const isRefused = status === 401 && text.includes('"unauthenticated"')
  const index = callers.indexOf(caller)
  if (!isRefused || !caller.renew || index < 0) return
  const check = await fetch(`${url}/auth/profile`, { headers: { authorization: caller.authorization ?? '' } })
  if (check.status === 200 || callers[index] !== caller) return
  callers[index] = await caller.renew()
}
