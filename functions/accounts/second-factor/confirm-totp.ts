import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { factors } from '#lib/accounts/second-factor/factor-store.dynamo'
import { AddedFactor, confirmTotp, TotpConfirmation } from '#lib/accounts/second-factor/set-up-totp'
import { steppedUpForFactor } from '#lib/accounts/sessions/access'
import { dataKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'POST /auth/second-factor/totp/confirm',
  summary: 'Confirm an authenticator app by its first code',
  description:
    'Sign-in asks for a code from now on. With the first factor come ten recovery codes, shown once.',
  access: steppedUpForFactor(user),
  input: { body: TotpConfirmation },
  output: { 200: AddedFactor },
  problems: ['invalid_code', 'second_factor_missing'],
  isSecret: true,
  deps: { accounts, factors, dataKeys, now: clock, newId: ids },
  run: ({ actor, body }, deps) => confirmTotp(deps, actor, body),
})
