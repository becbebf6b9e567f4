import * as z from 'zod'
import { dependency } from '#lib/config/config'
import { endpoint } from '#lib/http/endpoint'

export const { spec, handler } = endpoint({
  route: 'GET /.well-known/jwks.json',
  summary: "The public keys of the platform's access tokens",
  description:
    'As RFC 7517 says. Several keys may be valid at once, so that they can be rotated: choose by the `kid` of the ' +
    'token, and fetch the keys again when a `kid` is unknown.',
  access: 'public',
  output: { 200: z.object({ keys: z.array(z.looseObject({ kty: z.string().meta({ example: 'OKP' }) })) }) },
  caching: 'without credential',
  deps: { jwks: dependency(['AUTH_JWKS'], (config) => config.AUTH_JWKS) },
  run: (_request, { jwks }) => jwks,
})
