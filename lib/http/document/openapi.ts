import { API_VERSION } from '#lib/http/api-version'
import { splitRoute } from '#lib/http/route'
import { type HttpSpec, routesOfSpec } from '#lib/http/spec'
import { completeBodies } from './bodies.ts'
import { describeOperation } from './describe-operation.ts'
import { HEADERS } from './headers.ts'
import type { Operation } from './operation.ts'
import { type ProblemMembers, problemSchemas } from './problem-schema.ts'
import { type Json, nameSchemas } from './schemas.ts'
import { type DescribedEvents, describeWebhooks, eventSchemas } from './webhooks.ts'

/** A function as the document needs it: named as in serverless.yml, with the noun of its folder. */
export type DescribedFunction = { name: string; noun: string; spec: HttpSpec }

export type ApiDescription = Json & { paths: unknown; components: Json & { schemas: Json } }

/**
 * Returns the OpenAPI 3.1 document, derived from the very schemas that the handlers validate with. `events` holds the
 * schemas of events by type, for lists of events and for webhooks, and `members` the further fields of problems by code.
 */
export function describeApi(
  functions: readonly DescribedFunction[],
  events: DescribedEvents = { listed: {}, sent: {} },
  members: ProblemMembers = {},
): ApiDescription {
  const described: Record<string, Record<string, Operation>> = {}
  for (const { name, noun, spec } of functions) {
    for (const [index, route] of routesOfSpec(spec).entries()) {
      const { method, path } = splitRoute(route)
      const operation = {
        // The first route has the function's name; a callback's further methods add theirs.
        operationId: index === 0 ? name : `${name}By${method[0]}${method.slice(1).toLowerCase()}`,
        tags: [TAG_OF[noun] ?? 'Service'],
        ...describeOperation(spec, route),
      }
      described[path] = { ...described[path], [method.toLowerCase()]: operation }
    }
  }
  // Gives every schema that has an id its final name, in references too, and collects these schemas.
  const { part, schemas: named } = nameSchemas({
    paths: described,
    webhooks: describeWebhooks(events.sent),
    events: eventSchemas(events.listed),
    problems: problemSchemas(described, members),
  })
  // Adds an example to every body, and a name to a body's schema that has none.
  const { paths, schemas } = completeBodies({
    paths: part.paths,
    schemas: { ...named, ...part.events, ...part.problems },
  })
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
    webhooks: part.webhooks,
    components: { schemas, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  }
}

const DESCRIPTION = [
  'The backend of a property marketplace: agents register, prove who they are and list properties;',
  'administrators decide and moderate; customers browse and pay; payment providers call back.',
  '\n\nBodies are JSON. Unknown fields are ignored. Errors are `application/problem+json` (RFC 9457); switch on',
  '`code`. Every answer carries `X-Request-Id` and `API-Version`. Access is by `Authorization: Bearer`.',
  'A body left out reads as `{}`, so that every missing field is named. Text is trimmed, and its length counts Unicode code',
  'points. A token that is sent to a public endpoint is ignored, unless it changes the answer: then it must be good.',
  '\n\nNumbers in a query are plain digits. A page of a list may hold fewer items than `limit`, even none: only',
  '`nextCursor: null` is the end.',
  '\n\nA `GET` refuses query parameters that it does not know; several values of one are the parameter repeated.',
].join(' ')

/** The tag of a folder of functions; what is in none of these is the service itself. */
const TAG_OF: Record<string, string> = {
  accounts: 'Accounts',
  privacy: 'Accounts',
  kyc: 'Identity',
  listings: 'Listings',
  media: 'Listings',
  reports: 'Listings',
  enquiries: 'Enquiries',
  notifications: 'Notifications',
  mail: 'Notifications',
  payments: 'Payments',
  administration: 'Administration',
  webhooks: 'Administration',
}

const TAGS = [
  { name: 'Accounts', description: 'Registration, sessions and profiles' },
  { name: 'Identity', description: 'KYC: decisions by administrators' },
  { name: 'Listings', description: 'Properties for sale or rent, their media and their moderation' },
  { name: 'Enquiries', description: 'What customers ask agents, and what they answer' },
  { name: 'Notifications', description: 'What people are told, and by mail' },
  { name: 'Payments', description: 'Payments through many providers, and their callbacks' },
  { name: 'Administration', description: "The administrators' day, and what other systems are told" },
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
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pak_…',
    description: 'An API key of an agent (`POST /auth/api-keys`). One of the scopes named is enough',
  },
}
