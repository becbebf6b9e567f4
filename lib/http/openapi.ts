import * as z from 'zod'
import type { FieldError, ProblemCode } from '#lib/kernel/domain-error'
import { API_VERSION } from './api-version.ts'
import { PROBLEMS } from './problem.ts'
import { type Route, splitRoute } from './route.ts'
import { type HttpSpec, routesOfSpec, type Spec } from './spec.ts'

/** Part of a JSON document. */
type Json = Record<string, unknown>

const Problem = z
  .object({
    type: z.string().meta({ description: 'A stable address that ends in the code' }),
    title: z.string().meta({ description: 'The same for every occurrence of a code' }),
    status: z.int(),
    code: z.enum(Object.keys(PROBLEMS) as ProblemCode[]),
    detail: z.string().meta({ description: 'This occurrence' }),
    requestId: z.string(),
    errors: z
      .array(z.object({ path: z.string(), code: z.string(), message: z.string() } satisfies Fields))
      .optional(),
  })
  .meta({
    id: 'Problem',
    description: 'RFC 9457. Some codes add members, such as `from`, `to` and `allowed`.',
  })

type Fields = Record<keyof FieldError, z.ZodType>

/** The OpenAPI 3.1 document, derived from the very schemas that the handlers validate with. */
export function describeApi(specs: readonly HttpSpec[]): Json {
  const paths: Record<string, Json> = {}
  for (const spec of specs) {
    for (const route of routesOfSpec(spec)) {
      const { method, path } = splitRoute(route)
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(spec, route) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Platform API',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: TAGS,
    paths,
    components: { schemas: components(), securitySchemes: SECURITY_SCHEMES },
  }
}

const DESCRIPTION = [
  'The backend of a property marketplace: agents register, prove who they are and list properties;',
  'administrators decide and moderate; customers browse and pay; payment providers call back.',
  '\n\nBodies are JSON. Unknown fields are ignored. Errors are `application/problem+json` (RFC 9457); switch on',
  '`code`. Every answer carries `X-Request-Id` and `API-Version`. Access is by `Authorization: Bearer`.',
].join(' ')

const TAGS = [
  { name: 'Accounts', description: 'Registration, sessions and profiles' },
  { name: 'Identity', description: 'KYC: decisions by administrators' },
  { name: 'Listings', description: 'Properties for sale or rent, their media and their moderation' },
  { name: 'Payments', description: 'Payments through many providers, and their callbacks' },
  { name: 'Service', description: 'The service itself' },
]

const SECURITY_SCHEMES = {
  platform: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'An access token of a user' },
  console: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "An administrator's console token",
  },
}

/** Which credentials an access takes; an empty object means that none is needed. */
const SECURITY: Record<string, Json[]> = {
  user: [{ platform: [] }],
  agent: [{ platform: [] }],
  administrator: [{ console: [] }],
  'user or administrator': [{ platform: [] }, { console: [] }],
  anyone: [{}, { platform: [] }, { console: [] }],
}

function operation(spec: HttpSpec, route: Route): Json {
  const { method, path } = splitRoute(route)
  return {
    operationId: [method.toLowerCase(), ...path.split(/[^A-Za-z]+/).filter(Boolean)].join('_'),
    tags: [tagOf(path)],
    summary: spec.summary,
    ...(spec.description && { description: spec.description }),
    security: (spec.access === 'public' || spec.access === 'provider'
      ? undefined
      : SECURITY[spec.access.name]) ?? [{}],
    ...('routes' in spec ? callbackOperation(path, spec.problems) : endpointOperation(spec)),
  }
}

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
      ...(spec.idempotency ? [IDEMPOTENCY_KEY] : []),
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

const successResponses = ({ output }: Spec): Json =>
  Object.fromEntries(
    Object.entries(output).map(([status, schema]) => [
      status,
      {
        description: SUCCESS[status] ?? 'Success',
        ...(schema && { content: { 'application/json': { schema: jsonSchema(schema) } } }),
      },
    ]),
  )

const SUCCESS: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done',
  304: 'Not modified',
}

/** What an endpoint can answer because of what it takes and who may call it. */
function impliedProblems({ access, input, problems = [], idempotency }: Spec): ProblemCode[] {
  const { params, query, body, files } = input ?? {}
  const name = access === 'public' ? 'public' : access.name
  const implied: [boolean, ProblemCode[]][] = [
    [name !== 'public', ['unauthenticated', 'forbidden']],
    [name === 'agent', ['agent_profile_required']],
    [params !== undefined, ['not_found']],
    [body !== undefined || query !== undefined, ['validation_failed']],
    [body !== undefined, ['malformed_json', 'payload_too_large', 'unsupported_media_type']],
    [
      files !== undefined,
      ['validation_failed', 'malformed_multipart', 'payload_too_large', 'unsupported_media_type'],
    ],
    [idempotency !== undefined, ['idempotency_key_reused', 'idempotency_in_progress']],
  ]
  const codes = implied.flatMap(([applies, codes]) => (applies ? codes : []))
  return [...new Set<ProblemCode>([...codes, ...problems, 'internal', 'unavailable'])]
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

const REFERENCES = { uri: (id: string) => `#/components/schemas/${id}` }

/** Schemas with an id are referred to; whatever the direction, the wire is the schema's input side. */
function jsonSchema(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id
  if (id) return { $ref: REFERENCES.uri(id) }
  const {
    $schema: _dialect,
    $defs: _shared,
    ...rest
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

/** Every schema that has an id, once. */
function components(): Json {
  void Problem
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...REFERENCES, io: 'input', unrepresentable: 'any' })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, id: _own, ...schema }]) => [id, schema]),
  )
}
