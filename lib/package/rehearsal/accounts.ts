import { randomUUID } from 'node:crypto'
import { formWith, text } from './form.ts'
import type { Stage } from './stage.ts'

/** The user on whose behalf most is rehearsed. */
export type Agent = { userId: string; email: string; token: string; earlierSessionId: string }

const PASSWORD = 'a quiet harbour at dusk'
const NEXT_PASSWORD = 'two quiet harbours at dusk'
const NOT_MAILED = 'a token that was never mailed'

/** Registers somebody who becomes an agent, and signs them in on a second device. */
export async function registerAgent({ ask }: Stage): Promise<Agent> {
  const email = `agent-${randomUUID()}@example.com`
  const registered = await ask('POST /auth/register', {
    body: { email, password: PASSWORD, name: 'Awa Koné' },
  })
  const earlier = await ask('GET /auth/sessions', { token: text(registered, 'accessToken') })
  await ask('POST /auth/refresh', { body: { refreshToken: text(registered, 'refreshToken') } })
  const signedIn = await ask('POST /auth/login', { body: { email, password: PASSWORD } })
  return {
    userId: text(registered, 'user', 'id'),
    email,
    token: text(signedIn, 'accessToken'),
    earlierSessionId: text(earlier, 'items', '0', 'id'),
  }
}

/** What users and administrators do with accounts, up to an agent whom an administrator has verified. */
export async function act(
  { ask, proveEmail, consoleToken }: Stage,
  { userId, token, email }: Agent,
): Promise<void> {
  await ask('GET /auth/profile', { token })
  await ask('PATCH /auth/profile', { token, body: { name: 'Awa K.' } })
  await ask('PUT /auth/profile/agent', { token, body: { displayName: 'Awa Immobilier', agency: 'Awa & Co' } })
  await ask('GET /auth/profile/agent', { token })
  await ask('POST /auth/email/verification', { token })
  await ask('POST /auth/email/verify', { body: { token: NOT_MAILED }, mayBeRefused: true })
  await proveEmail(userId)
  await ask('POST /auth/password/forgot', { body: { email } })
  const reset = { token: NOT_MAILED, newPassword: NEXT_PASSWORD, password: NEXT_PASSWORD }
  await ask('POST /auth/password/reset', { body: reset, mayBeRefused: true })

  await ask('POST /auth/kyc/documents', { token, body: await formWith({ type: 'passport' }) })
  await ask('GET /auth/kyc', { token })
  await ask('GET /admin/kyc', { token: consoleToken })
  await ask('GET /admin/kyc/{userId}', { token: consoleToken, params: { userId } })
  await ask('PATCH /auth/kyc', { token: consoleToken, body: { userId, kycStatus: 'VERIFIED' } })
  await ask('POST /auth/kyc/withdraw', { token })
  await ask('GET /agents/{userId}', { params: { userId } })
  await ask('GET /admin/users', { token: consoleToken })
  await ask('PATCH /admin/users/{id}', {
    token: consoleToken,
    params: { id: userId },
    body: { status: 'ACTIVE' },
  })
}

/** The end of the sessions, and of the account. */
export async function leave({ ask }: Stage, { email, token, earlierSessionId }: Agent): Promise<void> {
  await ask('GET /auth/export', { token })
  await ask('DELETE /auth/sessions/{id}', { token, params: { id: earlierSessionId } })
  await ask('POST /auth/password', {
    token,
    body: { currentPassword: PASSWORD, newPassword: NEXT_PASSWORD },
  })
  await ask('POST /auth/logout', { token, body: {} })
  const again = await ask('POST /auth/login', { body: { email, password: NEXT_PASSWORD } })
  await ask('DELETE /auth/profile', {
    token: text(again, 'accessToken'),
    body: { password: NEXT_PASSWORD },
    mayBeRefused: true,
  })
}
