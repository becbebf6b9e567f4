import middy from '@middy/core'
import httpJsonBodyParser from '@middy/http-json-body-parser'
import type { APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { Dependencies } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { AccessDeps } from './access.ts'
import type { Exchange } from './idempotency.ts'
import { lazyDeps } from './lazy-deps.ts'
import { answerProblems, type HttpMiddleware, observe, type Settings, sendHeaders } from './observe.ts'
import { type EncodedAnswer, encode, toResult } from './reply.ts'
import { type HttpEvent, header, limitBody, parseInput, parseParams, requestFacts } from './request.ts'
import { splitRoute } from './route.ts'
import { clock, settings } from './runtime.ts'
import type { HttpHandler, Spec } from './spec.ts'
import { stateOf } from './state.ts'

const JSON_BODY_MAX_BYTES = 256 * 1024

/** Everything an endpoint depends on, what the builder itself needs included. */
export const allDeps = (spec: Pick<Spec, 'access' | 'deps'>): Dependencies => ({
  settings,
  now: clock,
  ...(spec.access !== 'public' && spec.access.deps),
  ...spec.deps,
})

/**
 * The middy stack of an endpoint. `overrides` replaces dependencies by name; without it each is made from
 * the environment at the first request. In Lambda a missing variable stops the cold start with its name.
 */
export function serve(spec: Spec, overrides: Record<string, unknown> = {}): HttpHandler {
  const deps = lazyDeps(allDeps(spec), overrides)
  const settingsOf = () => deps()['settings'] as Settings
  const clockOf: Clock = () => (deps()['now'] as Clock)()

  return (
    middy<HttpEvent, APIGatewayProxyStructuredResultV2>()
      // `after` and `onError` run from the last to the first: what stands first sees the finished answer.
      .use(observe(spec.route, settingsOf, clockOf))
      .use(sendHeaders(settingsOf))
      .use(answerProblems(settingsOf))
      // The order of checks is the contract's: who calls, what they may, and only then what they sent.
      .use(refuseOtherMethods(spec))
      .use(authenticate(spec, deps))
      .use(parse(spec))
      .handler((event, context) => execute(spec, deps(), event, context)) as unknown as HttpHandler
  )
}

/** API Gateway routes by method; a function URL and some emulators do not. */
const refuseOtherMethods = (spec: Spec): HttpMiddleware => ({
  before: ({ event }) => {
    const { method } = splitRoute(spec.route)
    if (spec.route !== '$default' && event.requestContext.http.method !== method) {
      throw new DomainError('method_not_allowed', { headers: { allow: method } })
    }
  },
})

const authenticate = (spec: Spec, deps: () => Record<string, unknown>): HttpMiddleware => ({
  before: async ({ event, context }) => {
    if (spec.access === 'public') return
    const state = stateOf(context)
    const { actor, caller } = await spec.access.authenticate(event, deps() as AccessDeps)
    state.actor = actor
    if (caller !== null) state.caller = caller
  },
})

const parse = (spec: Spec): HttpMiddleware => {
  const jsonBody = httpJsonBodyParser()
  return {
    before: async (request) => {
      const { event, context } = request
      const { params = {}, query, body, files } = spec.input ?? {}
      const isSent = Boolean(event.body)
      const state = stateOf(context)
      state.params = parseParams(params, event)
      if (body) {
        limitBody(event, JSON_BODY_MAX_BYTES)
        // A body left out reads as an empty object: what is missing from it is then named field by field.
        if (isSent) await jsonBody.before?.(request as never)
      } else if (files) {
        limitBody(event, files.maxBytes)
        state.files = await files.parse(event)
      }
      const given = { query: event.queryStringParameters ?? {}, body: isSent ? event.body : {} }
      Object.assign(state, parseInput({ query, body }, given))
    },
  }
}

/** Runs the endpoint, within its idempotency where it has one, and encodes what it replies. */
async function execute(spec: Spec, deps: Record<string, unknown>, event: HttpEvent, context: Context) {
  const { params, query, body, files, actor, caller = '' } = stateOf(context)
  const encodeReply = (reply: Parameters<typeof encode>[1]) => encode(spec.output, reply)
  const run = async (more: object): Promise<EncodedAnswer> => {
    const given = { ...more, params, query, body, files, actor, request: requestFacts(event, context) }
    return encodeReply(await spec.run(given as never, deps as never))
  }
  if (!spec.idempotency) return toResult(await run({}))
  const exchange: Exchange = {
    route: spec.route,
    caller,
    key: header(event, 'idempotency-key'),
    input: { params, query, body },
    deps: deps as Exchange['deps'],
    encode: encodeReply,
  }
  return toResult(await spec.idempotency.around(exchange, run))
}
