import * as z from 'zod'
import { answersJson } from '#lib/http/reply'
import { type Route, splitRoute } from '#lib/http/route'
import type { CallbackSpec, HttpSpec, Spec } from '#lib/http/spec'
import { describeAnswers, describeCallbackAnswers } from './describe-answers.ts'
import type { DocumentedExchange } from './operation.ts'
import { type Json, jsonSchema } from './schemas.ts'

/** Describes an operation of the OpenAPI document by the declaration of its route. */
export function describeOperation(spec: HttpSpec, route: Route): DocumentedExchange {
  const { path } = splitRoute(route)
  return {
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    ...(spec.kind === 'callback' ? callbackOperation(spec, route) : endpointOperation(spec, path)),
  }
}

function callbackOperation(spec: CallbackSpec, route: Route) {
  const { method, path } = splitRoute(route)
  const content = { '*/*': { schema: { description: "The provider's own body" } } }
  return {
    security: [{}],
    parameters: pathParameters(path, {}),
    ...(method !== 'GET' && { requestBody: { required: true, content } }),
    responses: describeCallbackAnswers(spec, method),
  }
}

function endpointOperation(spec: Spec, path: string) {
  const { params = {}, query } = spec.input ?? {}
  const requestBody = describeBody(spec)
  return {
    // The credentials that a caller may show; an empty object allows a request without credentials.
    security: [
      ...spec.access.security.map((scheme) => (scheme === 'none' ? {} : { [scheme]: [] })),
      ...(spec.apiKeys ? [{ apiKey: spec.apiKeys.scopes }] : []),
    ],
    parameters: [
      ...pathParameters(path, params),
      ...(query ? queryParameters(query) : []),
      ...headerParameters(spec),
    ],
    ...(requestBody && { requestBody }),
    responses: describeAnswers(spec),
  }
}

/**
 * Returns the body that an endpoint takes: a form if the endpoint answers pages, else JSON. A body that may be empty may be
 * left out.
 */
function describeBody({ input, output }: Spec): DocumentedExchange['requestBody'] {
  const { body, files } = input ?? {}
  if (files) return { required: true, content: { 'multipart/form-data': { schema: files.form } } }
  if (!body) return undefined
  const type = answersJson(output) ? 'application/json' : 'application/x-www-form-urlencoded'
  return {
    required: !body.safeParse({}).success,
    content: { [type]: { schema: jsonSchema(body, 'input') } },
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  description: 'The same key with the same request answers the first success again, for 24 hours',
}
const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  schema: { type: 'string' },
  description:
    'The `ETag` that the caller has seen, in whichever view; `version_conflict`, with the present one, when the version is another now',
}
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  schema: { type: 'string' },
  description: 'The `ETag` that the caller has; 304 while it is current',
}

const headerParameters = ({ idempotency, honours }: Spec): Json[] => [
  ...(idempotency ? [{ ...IDEMPOTENCY_KEY, required: idempotency.isDemanded }] : []),
  ...(honours === 'If-Match' ? [IF_MATCH] : []),
  ...(honours === 'If-None-Match' ? [IF_NONE_MATCH] : []),
]

const pathParameters = (path: string, schemas: Readonly<Record<string, z.ZodType>>): Json[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: schemas[name] ? jsonSchema(schemas[name], 'input') : { type: 'string' },
  }))

const queryParameters = (query: z.ZodObject): Json[] =>
  Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !z.safeParse(schema, undefined).success,
    schema: jsonSchema(schema, 'input'),
  }))
