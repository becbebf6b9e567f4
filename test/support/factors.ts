import { TOTP } from 'otpauth'
import { spec as addPasskey } from '#functions/accounts/second-factor/add-passkey'
import { spec as beginPasskey } from '#functions/accounts/second-factor/begin-passkey'
import { spec as beginTotp } from '#functions/accounts/second-factor/begin-totp'
import { spec as confirmTotp } from '#functions/accounts/second-factor/confirm-totp'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { spec as login } from '#functions/accounts/sessions/login'
import { type SoftPasskey, softPasskey } from './authenticator.ts'
import { call, problemOf } from './call.ts'
import { type GivenUser, PASSWORD } from './given.ts'

/** A clock that stands `seconds` from now. */
export const later = (seconds: number) => ({ now: () => new Date(Date.now() + seconds * 1000) })

/** The six digits of a secret at a time from now, or from another moment. */
export const codeOf = (secret: string, seconds = 0, moment = Date.now()): string =>
  new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret }).generate({
    timestamp: moment + seconds * 1000,
  })

/** A token of a user who has just stepped up with the password. */
export async function steppedUp(
  user: { token: string },
  deps: Record<string, unknown> = {},
): Promise<string> {
  const { status, body, text } = await call(stepUp, { token: user.token, body: { password: PASSWORD }, deps })
  if (status !== 200) throw new Error(text)
  return body.accessToken
}

export type Protected = GivenUser & { secret: string; recoveryCodes: string[] }

/** A user with an authenticator app, whose code of 30 seconds ago confirmed it. Their token is of the password alone. */
export async function withTotp(user: GivenUser, deps: Record<string, unknown> = {}): Promise<Protected> {
  const token = await steppedUp(user, deps)
  const begun = await call(beginTotp, { token, deps })
  const { secret } = begun.body
  // One moment for the code and the check: a step that turns between them would make the code a minute old.
  const moment = Date.now()
  const confirmed = await call(confirmTotp, {
    token,
    body: { code: codeOf(secret, -30, moment) },
    deps: { now: () => new Date(moment), ...deps },
  })
  if (confirmed.status !== 200) throw new Error(confirmed.text)
  return {
    ...user,
    token,
    secret,
    recoveryCodes: confirmed.body.recoveryCodes,
  }
}

/** A passkey of a user, who steps up with the password first. */
export async function withPasskey(
  user: GivenUser,
  passkey: SoftPasskey = softPasskey(),
  token?: string,
): Promise<{ passkey: SoftPasskey; id: string; token: string; recoveryCodes: string[] }> {
  const steppedUpToken = token ?? (await steppedUp(user))
  const begun = await call(beginPasskey, { token: steppedUpToken })
  const { challenge, options } = begun.body
  const credential = passkey.create(options)
  const added = await call(addPasskey, {
    token: steppedUpToken,
    body: { challenge, name: 'My phone', credential },
  })
  if (added.status !== 201) throw new Error(added.text)
  const {
    passkey: { id },
    recoveryCodes,
  } = added.body
  return { passkey, id, token: steppedUpToken, recoveryCodes }
}

/** What the right password is answered on an account with a second factor. */
export async function firstStep({ email }: { email: string }, deps: Record<string, unknown> = {}) {
  const answer = await call(login, { body: { email, password: PASSWORD }, deps })
  return problemOf(answer, 'second_factor_required')
}
