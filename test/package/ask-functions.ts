import { randomUUID } from 'node:crypto'
import { openApiDocument } from '#functions/service/specs.derived'
import { exampleOf } from '#lib/http/document/example'
import { type Route, splitRoute } from '#lib/http/route'
import { routesOfSpec } from '#lib/http/spec'
import { inParallel } from '#lib/kernel/parallel'
import type { DeployedFunction } from '#lib/package/functions'
import { type Call, httpEvent } from '#test/support/call'

export type Stage = {
  functions: readonly DeployedFunction[]
  invoke: (deployed: DeployedFunction, event: unknown) => Promise<unknown>
  /** Verifies a user's e-mail address without its mailed link. */
  proveEmail: (userId: string) => Promise<void>
  consoleToken: string
}

type Answer = { statusCode?: number; body?: string }

/** Asks the function of a route. Returns the parsed body; throws when the request is refused. */
export async function ask(
  { functions, invoke }: Pick<Stage, 'functions' | 'invoke'>,
  route: Route,
  request: Call,
): Promise<Record<string, unknown>> {
  const deployed = functions.find(({ spec }) => routesOfSpec(spec).includes(route))
  if (!deployed) throw new Error(`There is no function of ${route}`)
  const { statusCode = 500, body = '{}' } = (await invoke(deployed, httpEvent(route, request))) as Answer
  if (statusCode >= 400) throw new Error(`${route} answered ${statusCode}: ${body}`)
  return JSON.parse(body || '{}')
}

/** Registers an agent whose e-mail is verified. Returns their id and access token. */
export async function registerAgent(stage: Stage): Promise<{ id: string; token: string }> {
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
 * Sends each function `among` them one request, made of the examples in the document. Its answer may be a refusal:
 * authentication, validation and the first read have run by then. At most `width` run at a time. Throws where one fails.
 */
export async function askEach(
  stage: Stage,
  { among = stage.functions, width = 1 }: { among?: Stage['functions']; width?: number } = {},
): Promise<void> {
  const done = new Set<DeployedFunction>()
  const invoke = (deployed: DeployedFunction, event: unknown) => {
    done.add(deployed)
    return stage.invoke(deployed, event)
  }
  const { id, token } = await registerAgent({ ...stage, invoke })
  const house = { token, headers: newKey(), body: { offer: 'rent', category: 'house' } }
  const listing = await ask({ ...stage, invoke }, 'POST /listings', house)
  const samples = await sampleRequests({
    tokens: { user: token, console: stage.consoleToken },
    userId: id,
    listingId: String(listing['id']),
  })
  const perform = async (deployed: DeployedFunction): Promise<void> => {
    // A job answers without a status.
    const { statusCode = 200, body } = ((await stage.invoke(deployed, samples(deployed))) ?? {}) as Answer
    if (statusCode >= 500) throw new Error(`${deployed.name} answered ${statusCode}: ${body}`)
  }
  const left = among.filter((each) => !done.has(each))
  const isLast = ({ routes }: DeployedFunction) => LAST.includes(routes[0] ?? '')
  await inParallel(
    left.filter((each) => !isLast(each)),
    perform,
    { width },
  )
  for (const route of LAST) for (const each of left) if (each.routes[0] === route) await perform(each)
}

const newKey = () => ({ 'idempotency-key': randomUUID() })

type Parameter = { name: string; in: string; required?: boolean; schema: unknown }
type Document = {
  paths: Record<
    string,
    Record<
      string,
      { parameters?: Parameter[]; requestBody?: { content: Record<string, { example?: unknown }> } }
    >
  >
  components: { schemas: Record<string, unknown> }
}
type Known = { tokens: { user: string; console: string }; userId: string; listingId: string }

/** Returns what makes the event of a function: its body is the document's example, its ids are those of known records. */
async function sampleRequests({ tokens, userId, listingId }: Known) {
  const { paths, components }: Document = JSON.parse(JSON.stringify(await openApiDocument()))
  /** Only a `GET` names the agent in its path: a write such as a ban would make later requests fail. */
  const withKnownIds = (route: string, request: Call): Call => {
    const text = JSON.stringify(request).replaceAll(/lst_[0-9A-Z]{26}/g, listingId)
    return JSON.parse(route.startsWith('GET ') ? text.replaceAll(/usr_[0-9A-Z]{26}/g, userId) : text)
  }
  return ({ spec }: DeployedFunction): unknown => {
    if (spec.kind === 'job') return { Records: [] }
    if (spec.kind === 'callback')
      return httpEvent(spec.routes[0], { params: { provider: 'standard-webhooks' }, body: {} })
    const { route } = spec
    if (route === '$default') return httpEvent(route, { method: 'OPTIONS', path: '/listings' })
    const { method, path } = splitRoute(route)
    const { parameters = [], requestBody } = paths[path]?.[method.toLowerCase()] ?? {}
    const given = (place: string) =>
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place && (parameter.required || place === 'path'))
          .map(({ name, schema }) => [name, String(exampleOf(schema, components.schemas, 'required'))]),
      )
    const isUser = spec.access.security.includes('platform')
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
    const request = withKnownIds(route, {
      params: given('path'),
      query: given('query'),
      ...(isUser && { token: tokens.user }),
      ...(!isUser && spec.access.security.includes('console') && { token: tokens.console }),
      ...(spec.idempotency && { headers: newKey() }),
      ...(type === 'application/json' && { body: content?.example }),
    })
    const isForm = type === 'application/x-www-form-urlencoded'
    return httpEvent(route, isForm ? { ...request, ...form(content?.example) } : request)
  }
}

const form = (fields: unknown): Call => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  rawBody: `${new URLSearchParams(fields as Record<string, string>)}`,
})
