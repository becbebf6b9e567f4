import * as z from 'zod'
import { dependency } from '#lib/config'
import { endpoint } from '#lib/http/endpoint'

export const { spec, handler } = endpoint({
  route: 'GET /.well-known/jwks.json',
  summary: "The public keys of the platform's access tokens",
  access: 'public',
  output: { 200: z.object({ keys: z.array(z.looseObject({ kty: z.string() })) }) },
  caching: 'public',
  deps: { jwks: dependency(['AUTH_JWKS'], (config) => config.AUTH_JWKS) },
  run: (_request, { jwks }) => jwks,
})
