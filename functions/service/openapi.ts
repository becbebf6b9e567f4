import * as z from 'zod'
import { configuredDocument } from '#lib/docs/configured-document'
import { endpoint } from '#lib/http/endpoint'
import { openApiDocument } from './specs.derived.ts'

export const { spec, handler } = endpoint({
  route: 'GET /openapi.json',
  summary: 'This document',
  description:
    'OpenAPI 3.1, made from the schemas that requests are checked with. `info.version` is the `API-Version` of ' +
    'every answer.',
  access: 'public',
  output: { 200: z.record(z.string(), z.unknown()) },
  caching: 'without credential',
  deps: { configuredDocument },
  run: async (_, { configuredDocument }) => configuredDocument(await openApiDocument()),
})
