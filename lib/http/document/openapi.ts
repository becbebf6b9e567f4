import { API_VERSION } from '#lib/http/api-version'
import { splitRoute } from '#lib/http/route'
import { type HttpSpec, routesOfSpec } from '#lib/http/spec'
import { describeOperation } from './describe-operation.ts'
import { componentSchemas, type Json } from './json-schema.ts'

/** The OpenAPI 3.1 document, derived from the very schemas that the handlers validate with. */
export function describeApi(specs: readonly HttpSpec[]): Json {
  const paths: Record<string, Json> = {}
  for (const spec of specs) {
    for (const route of routesOfSpec(spec)) {
      const { method, path } = splitRoute(route)
      paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(spec, route) }
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
    components: { schemas: componentSchemas(), securitySchemes: SECURITY_SCHEMES },
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
