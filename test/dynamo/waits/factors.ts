import type { PasskeyRequestOptions } from '#lib/accounts/second-factor/passkey-options'
import { softPasskey } from '#test/support/authenticator'
import { codeOf, firstStep, steppedUp, withTotp } from '#test/support/factors'
import { aProvenUser, aUser, consoleToken, PASSWORD } from '#test/support/given'
import type { Visit } from './visit.ts'

type Options = { challenge: string; options: PasskeyRequestOptions }

/** Visits what has to do with a second factor. */
export async function visitFactors(visit: Visit): Promise<void> {
  await visitTotp(visit)
  await visitPasskeys(visit)
}

async function visitTotp(visit: Visit): Promise<void> {
  const user = await aUser()
  await visit('POST /auth/step-up', { token: user.token, body: { password: PASSWORD } })
  const token = await steppedUp(user)
  const { secret }: { secret: string } = await visit('POST /auth/second-factor/totp', { token })
  await visit('POST /auth/second-factor/totp/confirm', { token, body: { code: codeOf(secret, -30) } })
  await visit('GET /auth/second-factor', { token })
  const { challenge } = await firstStep(user)
  const signedIn: { accessToken: string } = await visit('POST /auth/login/second-factor', {
    body: { challenge, code: codeOf(secret) },
  })
  const fresh = { token: signedIn.accessToken }
  await visit('POST /auth/second-factor/recovery-codes', fresh)
  await visit('DELETE /auth/second-factor/totp', fresh)
  const { id } = await withTotp(await aProvenUser())
  await visit('DELETE /admin/users/{id}/second-factor', {
    token: await consoleToken(),
    params: { id },
    body: { note: 'Lost the phone; passport seen' },
  })
}

async function visitPasskeys(visit: Visit): Promise<void> {
  const token = await steppedUp(await aUser())
  const passkey = softPasskey()
  const { challenge, options }: { challenge: string; options: never } = await visit(
    'POST /auth/passkeys/options',
    { token },
  )
  const added: { passkey: { id: string } } = await visit('POST /auth/passkeys', {
    token,
    body: { challenge, name: 'My phone', credential: passkey.create(options) },
  })
  const request: Options = await visit('POST /auth/passkeys/sign-in/options')
  const signedIn: { accessToken: string } = await visit('POST /auth/passkeys/sign-in', {
    body: { challenge: request.challenge, credential: passkey.get(request.options) },
  })
  const fresh = { token: signedIn.accessToken, params: { id: added.passkey.id } }
  await visit('POST /auth/step-up/options', { token: signedIn.accessToken })
  await visit('PATCH /auth/passkeys/{id}', { ...fresh, body: { name: 'Desk' } })
  await visit('DELETE /auth/passkeys/{id}', fresh)
}
