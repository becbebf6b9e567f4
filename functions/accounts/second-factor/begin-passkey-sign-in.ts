import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { beginPasskeySignIn, PasskeyRequest } from '#lib/accounts/sessions/sign-in-with-passkey'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/passkeys/sign-in/options',
  summary: 'Begin to sign in by a passkey alone',
  description: 'Pass `options` to `navigator.credentials.get`. Nothing is stored.',
  access: 'public',
  output: { 200: PasskeyRequest },
  isSecret: true,
  deps: { hmacKeys, passkeys: passkeySettings, now: clock },
  run: (_request, deps) => beginPasskeySignIn(deps),
})
