import { endpoint } from '#lib/http/endpoint'
import { answerUnrouted } from '#lib/http/unrouted'
import { routes } from './specs.derived.ts'

export const { spec, handler } = endpoint({
  route: '$default',
  summary: 'Answer CORS preflights, unknown routes, and known routes with another method',
  access: 'public',
  output: { 204: null },
  deps: {},
  run: async ({ request }) => answerUnrouted(request, await routes()),
})
