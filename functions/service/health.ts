import * as z from 'zod'
import { API_VERSION } from '#lib/http/api-version'
import { endpoint } from '#lib/http/endpoint'

export const { spec, handler } = endpoint({
  route: 'GET /health',
  summary: 'Whether the service answers',
  description:
    'No database is read: 200 says that requests reach a function and are answered. `version` is that of this ' +
    'document.',
  access: 'public',
  output: {
    200: z.object({
      status: z.string().meta({ example: 'ok' }),
      version: z.string().meta({ example: API_VERSION }),
    }),
  },
  deps: {},
  run: () => ({ status: 'ok', version: API_VERSION }),
})
