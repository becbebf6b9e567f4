import * as z from 'zod'
import { endpoint } from '#lib/http/endpoint'
import { openApiDocument } from './specs.derived.ts'

export const { spec, handler } = endpoint({
  route: 'GET /openapi.json',
  summary: 'This document',
  access: 'public',
  output: { 200: z.record(z.string(), z.unknown()) },
  caching: 'public',
  deps: {},
  run: () => openApiDocument(),
})
