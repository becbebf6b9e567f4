import { endpoint } from '#lib/http/endpoint'
import { answerUnrouted } from '#lib/http/unrouted'
import { routes } from './specs.derived.ts'

export const { spec, handler } = endpoint({
  route: '$default',
  summary: 'Preflights, unknown routes and known ones with another method',
  access: 'public',
  output: { 204: null },
  deps: {},
  run: async ({ request }) => answerUnrouted(request, await routes()),
})
