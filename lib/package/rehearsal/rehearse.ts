import { randomUUID } from 'node:crypto'
import { type Agent, act, leave, registerAgent } from './accounts.ts'
import { administer } from './administration.ts'
import { enquire } from './enquiries.ts'
import { list } from './listings.ts'
import { pay } from './payments.ts'
import type { Stage } from './stage.ts'

/**
 * Sends one request to every function, in an order in which each succeeds. What V8 compiles for it is the bytecode
 * that is shipped, and its time is what the cold start bench measures. Safe to repeat on the same table. A function
 * that no file of this folder asks is asked something that it may refuse, so that it has bytecode all the same.
 */
export async function rehearse(stage: Stage): Promise<void> {
  const done = new Set<string>()
  const noting: Stage = {
    ...stage,
    ask: (route, request) => {
      done.add(route)
      return stage.ask(route, request)
    },
    run: (job, event) => {
      done.add(job)
      return stage.run(job, event)
    },
  }
  await rehearseService(noting)
  const agent = await registerAgent(noting)
  await act(noting, agent)
  const listingId = await list(noting, agent)
  await enquire(noting, agent, listingId, `customer-${randomUUID()}@example.com`)
  await pay(noting, agent, listingId)
  await administer(noting, agent)
  const left = new Set([
    'GET /auth/export',
    'POST /auth/logout',
    'POST /auth/password',
    'DELETE /auth/profile',
  ])
  await rehearseRest(noting, (name) => done.has(name) || left.has(name), agent, listingId)
  await leave(noting, agent)
}

async function rehearseService({ ask }: Stage): Promise<void> {
  await ask('GET /health')
  await ask('GET /.well-known/jwks.json')
  await ask('GET /openapi.json')
  await ask('GET /docs')
  await ask('$default', { method: 'OPTIONS', path: '/listings' })
}

async function rehearseRest(
  { ask, run, functions, consoleToken }: Stage,
  isDone: (name: string) => boolean,
  { token }: Agent,
  id: string,
): Promise<void> {
  for (const { name, routes } of functions) {
    const [route] = routes
    if (route === undefined && !isDone(name)) await run(name, { Records: [] })
    if (route === undefined || routes.some(isDone)) continue
    const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter)
    await ask(route, {
      token: route.includes(' /admin/') ? consoleToken : token,
      params: Object.fromEntries(names.map((parameter) => [parameter, id])),
      ...(!route.startsWith('GET ') && { body: {}, headers: { 'idempotency-key': randomUUID() } }),
      mayBeRefused: true,
    })
  }
}
