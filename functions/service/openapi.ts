import * as z from 'zod'
import { endpoint } from '#lib/http/endpoint'
import { openApiDocument } from './specs.derived.ts'

export const { spec, handler } = endpoint({
  route: 'GET /openapi.json',
  summary: 'This document',
  access: 'public',
  output: { 200: z.record(z.string(), z.unknown()) },
  deps: {},
  run: async () => ({
    status: 200,
    body: await openApiDocument(),
    headers: { 'cache-control': 'public, max-age=300' },
  }),
})
