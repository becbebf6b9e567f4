import type * as z from 'zod'
import { isStrict } from '#lib/http/input/query'
import { PROBLEMS } from '#lib/http/problems'
import { type Answers, schemaOf } from '#lib/http/reply'
import { type Route, splitRoute } from '#lib/http/route'
import type { HttpSpec, Spec } from '#lib/http/spec'
import type { ProblemCode } from '#lib/kernel/domain-error'
import { type Json, jsonSchema } from './json-schema.ts'

/** An operation of the OpenAPI document: what a route takes and answers, by its declaration. */
export function describeOperation(spec: HttpSpec, route: Route): Json {
  const { method, path } = splitRoute(route)
  return {
    operationId: [method.toLowerCase(), ...path.split(/[^A-Za-z]+/).filter(Boolean)].join('_'),
    tags: [tagOf(path)],
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    security: securityOf(spec),
    ...(spec.kind === 'callback' ? callbackOperation(path, spec.problems) : endpointOperation(spec)),
  }
}

/** The credentials that a caller may show; an empty object means that none is needed. */
const securityOf = (spec: HttpSpec): Json[] =>
  spec.kind === 'callback'
    ? [{}]
    : spec.access.security.map((scheme) => (scheme === 'none' ? {} : { [scheme]: [] }))

const tagOf = (path: string): string =>
  ([
    [/kyc/, 'Identity'],
    [/^\/(auth|agents|admin\/users|\.well-known)/, 'Accounts'],
    [/listings/, 'Listings'],
    [/payment/, 'Payments'],
  ].find(([pattern]) => (pattern as RegExp).test(path))?.[1] as string) ?? 'Service'

const callbackOperation = (path: string, problems: readonly ProblemCode[]): Json => ({
  parameters: pathParameters(path, {}),
  requestBody: { required: true, content: { '*/*': { schema: { description: "The provider's own body" } } } },
  responses: {
    200: { description: 'Received' },
    ...problemResponses([...problems, 'payload_too_large', 'internal', 'unavailable']),
  },
})

function endpointOperation(spec: Spec): Json {
  const { params = {}, query, body, files } = spec.input ?? {}
  return {
    parameters: [
      ...pathParameters(splitRoute(spec.route).path, params),
      ...(query ? queryParameters(query) : []),
      ...headerParameters(spec),
    ],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body) } } },
    }),
    ...(files && {
      requestBody: { required: true, content: { 'multipart/form-data': { schema: files.form } } },
    }),
    responses: { ...successResponses(spec), ...problemResponses(impliedProblems(spec)) },
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
  description: 'The `ETag` that the caller has seen; `version_conflict` when another has come since',
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
    schema: schemas[name] ? jsonSchema(schemas[name]) : { type: 'string' },
  }))

function queryParameters(query: z.ZodType): Json[] {
  const { properties = {}, required = [] } = jsonSchema(query) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }))
}

const successResponses = ({ output, honours }: Spec): Json =>
  Object.fromEntries(
    [...Object.entries(output), ...(honours === 'If-None-Match' ? [['304', null] as const] : [])].map(
      ([status, declared]) => [
        status,
        {
          description: SUCCESS[status] ?? 'Success',
          ...(declared && { content: contentOf(declared) }),
        },
      ],
    ),
  )

const contentOf = (declared: NonNullable<Answers[number]>): Json =>
  'contentType' in declared
    ? { [declared.contentType.split(';')[0] ?? '']: { schema: { type: 'string' } } }
    : { 'application/json': { schema: jsonSchema(schemaOf(declared)) } }

const SUCCESS: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done',
  303: 'See `Location`',
  304: 'Not modified',
}

/** What an endpoint can answer because of what it takes and who may call it. */
function impliedProblems(spec: Spec): ProblemCode[] {
  const { access, problems = [], honours, idempotency } = spec
  const { params, query, body, files } = spec.input ?? {}
  const implied: [boolean, ProblemCode[]][] = [
    [params !== undefined, ['not_found']],
    [body !== undefined || query !== undefined || isStrict(spec), ['validation_failed']],
    [body !== undefined, ['malformed_json', 'payload_too_large', 'unsupported_media_type']],
    [
      files !== undefined,
      ['validation_failed', 'malformed_multipart', 'payload_too_large', 'unsupported_media_type'],
    ],
    [honours === 'If-Match', ['version_conflict']],
    [idempotency !== undefined, ['validation_failed', 'idempotency_key_reused', 'idempotency_in_progress']],
    [idempotency?.isDemanded === true, ['idempotency_key_required']],
  ]
  const codes = implied.flatMap(([applies, codes]) => (applies ? codes : []))
  return [...new Set<ProblemCode>([...access.problems, ...codes, ...problems, 'internal', 'unavailable'])]
}

function problemResponses(codes: readonly ProblemCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => PROBLEMS[code][0])
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => [
      status,
      {
        description: same.map((code) => `\`${code}\`: ${PROBLEMS[code][1]}`).join('\n\n'),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}
