import { randomUUID } from 'node:crypto'
import type { Route } from '#lib/http/route'
import { type FunctionModule, type Input, routesOfSpec } from '#lib/http/spec'
import { inParallel } from '#lib/kernel/parallel'
import { httpEvent, type Request } from './http-event.ts'
import { type KnownIds, sampleOf } from './sample.ts'

/** A function that is rehearsed, and its declaration. */
export type Rehearsed = { name: string; spec: FunctionModule['spec'] }

export type Stage<F extends Rehearsed> = {
  functions: readonly F[]
  invoke: (deployed: F, event: unknown) => Promise<unknown>
  /** Verifies a user's e-mail address without its mailed link. */
  proveEmail: (userId: string) => Promise<void>
  consoleToken: string
}

type Answer = { statusCode?: number; body?: string }

/** Asks the function of a route. Returns the parsed body; throws when the request is refused. */
export async function ask<F extends Rehearsed>(
  { functions, invoke }: Pick<Stage<F>, 'functions' | 'invoke'>,
  route: Route,
  request: Request,
): Promise<Record<string, unknown>> {
  const deployed = functions.find(({ spec }) => routesOfSpec(spec).includes(route))
  if (!deployed) throw new Error(`There is no function of ${route}`)
  const { statusCode = 500, body = '{}' } = (await invoke(
    deployed,
    await httpEvent(route, request),
  )) as Answer
  if (statusCode >= 400) throw new Error(`${route} answered ${statusCode}: ${body}`)
  return JSON.parse(body || '{}')
}

/** Registers an agent whose e-mail is verified. Returns their id and access token. */
export async function registerAgent<F extends Rehearsed>(
  stage: Stage<F>,
): Promise<{ id: string; token: string }> {
  const body = {
    email: `agent-${randomUUID()}@example.com`,
    password: 'a quiet harbour at dusk',
    name: 'Awa Koné',
  }
  const { user, accessToken } = await ask(stage, 'POST /auth/register', { body })
  const { id } = user as { id: string }
  const token = String(accessToken)
  await stage.proveEmail(id)
  await ask(stage, 'PUT /auth/profile/agent', { token, body: { displayName: 'Awa Immobilier' } })
  return { id, token }
}

/** The routes that are called after all others, in this order: each ends something that other requests need. */
const LAST: readonly string[] = ['DELETE /listings/{id}', 'DELETE /auth/profile', 'POST /auth/logout']

/**
 * Sends each wanted function, all by default, one request that follows from its declaration. Its answer may be a
 * refusal: authentication, validation and the first read have run by then. At most `width` run at a time. Throws after the
 * last one, when any failed.
 */
export async function rehearse<F extends Rehearsed>(
  stage: Stage<F>,
  { wanted = stage.functions, width = 1 }: { wanted?: readonly F[]; width?: number } = {},
): Promise<void> {
  const done = new Set<F>()
  const invoke = (deployed: F, event: unknown) => {
    done.add(deployed)
    return stage.invoke(deployed, event)
  }
  const { id, token } = await registerAgent({ ...stage, invoke })
  const listing = await ask({ ...stage, invoke }, 'POST /listings', { token, headers: newKey(), body: HOUSE })
  const known = { usr: id, lst: String(listing['id']) }
  const perform = async (deployed: F): Promise<void> => {
    const event = await sampleEvent(deployed.spec, { user: token, console: stage.consoleToken }, known)
    // A job answers without a status.
    const { statusCode = 200, body } = ((await stage.invoke(deployed, event)) ?? {}) as Answer
    if (statusCode >= 500) throw new Error(`${deployed.name} answered ${statusCode}: ${body}`)
  }
  const left = wanted.filter((each) => !done.has(each))
  await inParallel(
    left.filter((each) => placeInLast(each) < 0),
    perform,
    { width },
  )
  const last = left
    .filter((each) => placeInLast(each) >= 0)
    .sort((one, other) => placeInLast(one) - placeInLast(other))
  await inParallel(last, perform, { width: 1 })
}

const placeInLast = ({ spec }: Rehearsed): number => LAST.indexOf(routesOfSpec(spec)[0] ?? '')

/** Returns the form of a picture without the picture: the function parses the form before it refuses it. */
function emptyForm(): FormData {
  const form = new FormData()
  form.append('caption', 'From the water')
  return form
}

const HOUSE = { offer: 'rent', category: 'house' }

const newKey = () => ({ 'idempotency-key': randomUUID() })

async function sampleEvent(
  spec: FunctionModule['spec'],
  tokens: { user: string; console: string },
  known: Readonly<Record<'usr' | 'lst', string>>,
) {
  if (spec.kind === 'job') return { Records: [] }
  if (spec.kind === 'callback')
    return httpEvent(spec.routes[0], { params: { provider: 'standard-webhooks' }, body: {} })
  const { params = {}, query, body, files } = spec.input ?? {}
  const isUser = spec.access.security.includes('platform')
  const isConsole = spec.access.security.includes('console')
  // Only a `GET` names the agent in its path: a write such as a ban would make later requests fail.
  const named = spec.route.startsWith('GET ') ? known : { lst: known.lst }
  return httpEvent(spec.route, {
    ...(spec.route === '$default' && { method: 'OPTIONS', path: '/listings' }),
    ...(isUser && { token: tokens.user }),
    ...(!isUser && isConsole && { token: tokens.console }),
    ...(spec.idempotency && { headers: newKey() }),
    params: textsOf(params, named),
    ...(query && { query: sampleOf(query, known) as Record<string, string> }),
    ...(body && { body: sampleOf(body, known) }),
    ...(files && { body: emptyForm() }),
  })
}

const textsOf = (schemas: NonNullable<Input['params']>, known: KnownIds): Record<string, string> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, String(sampleOf(schema, known))]))
