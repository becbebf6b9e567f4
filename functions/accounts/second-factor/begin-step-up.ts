import { user } from '#lib/accounts/access'
import { factorReader } from '#lib/accounts/second-factor/factor-store.dynamo'
import { passkeySettings } from '#lib/accounts/second-factor/passkey-settings'
import { beginStepUp, StepUpOptions } from '#lib/accounts/sessions/step-up'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/step-up/options',
  summary: 'How the caller may prove once more who they are',
  description:
    'Without a second factor `methods` is `["password"]`, and `challenge` and `passkeyOptions` are null. With ' +
    'one, send a code or the passkey’s answer to `passkeyOptions` to `POST /auth/step-up`. A challenge is good ' +
    'once, for 10 minutes.',
  access: user,
  output: { 200: StepUpOptions },
  isSecret: true,
  deps: { factors: factorReader, hmacKeys, passkeys: passkeySettings, now: clock },
  run: ({ actor }, deps) => beginStepUp(deps, actor),
})
