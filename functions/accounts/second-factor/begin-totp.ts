import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { beginTotp, TotpSetup } from '#lib/accounts/second-factor/set-up-totp'
import { steppedUpForFactor } from '#lib/accounts/sessions/access'
import { dataKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, settings } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/second-factor/totp',
  summary: 'Begin to set up an authenticator app',
  description:
    'Show `uri` as a QR code, then confirm with a code within ten minutes. A repeated call replaces a set-up that was not ' +
    'confirmed. RFC 6238: SHA-1, six digits, 30 seconds. For the first factor of an account, step up with the password before.',
  access: steppedUpForFactor(user),
  output: { 201: TotpSetup },
  problems: ['second_factor_exists'],
  isSecret: true,
  deps: { accounts: accountReader, factors, dataKeys, now: clock, settings },
  run: ({ actor }, deps) => beginTotp(deps, actor.account),
})
