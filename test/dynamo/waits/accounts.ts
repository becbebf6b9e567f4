import { spec as confirmChange } from '#functions/accounts/addresses/confirm-email-change'
import { spec as requestChange } from '#functions/accounts/addresses/request-email-change'
import { spec as requestVerification } from '#functions/accounts/addresses/request-email-verification'
import { spec as forgotPassword } from '#functions/accounts/passwords/forgot-password'
import type { Mail } from '#lib/mail/mailer'
import { form, handIn, photograph } from '#test/support/documents'
import { steppedUp } from '#test/support/factors'
import { anAgent, aProvenUser, aUser, consoleToken, PASSWORD } from '#test/support/given'
import { mailedBy, tokenIn } from '#test/support/mail'
import { filePart, textPart } from '#test/support/multipart'
import type { Visit } from './visit.ts'

const NEW_PASSWORD = 'a louder harbour at dawn'

/** Visits what people do with their account, and administrators with people. */
export async function visitAccounts(visit: Visit): Promise<void> {
  const email = `visitor-${process.pid}@example.com`
  await visit('POST /auth/register', { body: { email, password: PASSWORD, name: 'Awa Koné' } })
  const { refreshToken }: { refreshToken: string } = await visit('POST /auth/login', {
    body: { email, password: PASSWORD },
  })
  await visit('POST /auth/refresh', { body: { refreshToken } })
  await visitSessions(visit)
  await visitProfile(visit)
  await visitAddresses(visit)
  await visitPasswords(visit)
  await visitIdentities(visit)
  await visitUsers(visit)
}

async function visitSessions(visit: Visit): Promise<void> {
  const { token } = await aUser()
  const { items }: { items: { id: string }[] } = await visit('GET /auth/sessions', { token })
  const other = await aUser()
  await visit('DELETE /auth/sessions/{id}', { token, params: { id: items[0]?.id ?? '' } })
  await visit('POST /auth/logout', { token: other.token })
}

async function visitProfile(visit: Visit): Promise<void> {
  const { token } = await aProvenUser()
  await visit('GET /auth/profile', { token })
  await visit('PATCH /auth/profile', { token, body: { name: 'Awa Traoré' } })
  await visit('PUT /auth/profile/agent', { token, body: { displayName: 'Awa Immobilier' } })
  await visit('GET /auth/profile/agent', { token })
  const fresh = await steppedUp({ token })
  const { apiKey }: { apiKey: { id: string } } = await visit('POST /auth/api-keys', {
    token: fresh,
    body: { name: 'Our system', scopes: ['listings:read'] },
  })
  await visit('GET /auth/api-keys', { token })
  await visit('DELETE /auth/api-keys/{id}', { token, params: { id: apiKey.id } })
  await visit('GET /auth/export', { token: fresh })
  await visit('DELETE /auth/profile', { token: fresh, body: { password: PASSWORD } })
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let addresses = 0
const newAddress = () => {
  addresses += 1
  return `moved-${addresses}-${process.pid}@example.com`
}

const mailTo = (mails: readonly Mail[], address: string) => tokenIn(mails.find(({ to }) => to === address))

async function visitAddresses(visit: Visit): Promise<void> {
  const unproven = await aUser()
  await visit('POST /auth/email/verification', { token: unproven.token })
  const asked = await mailedBy(requestVerification, { token: unproven.token })
  const proof = { token: tokenIn(asked.mails[0]) }
  await visit('GET /verify-email', { query: proof })
  await visit('POST /auth/email/verify', { body: proof })
  const other = await mailedBy(requestVerification, { token: (await aUser()).token })
  await visit('POST /verify-email', { query: { token: tokenIn(other.mails[0]) }, rawBody: '', headers: FORM })
  const body = { newEmail: newAddress(), password: PASSWORD }
  await visit('POST /auth/email/change', { token: (await aProvenUser()).token, body })
  const confirm = await changeToken()
  await visit('GET /change-email', { query: { token: confirm } })
  await visit('POST /auth/email/change/confirm', { body: { token: confirm } })
  await visit('POST /change-email', { query: { token: await changeToken() }, rawBody: '', headers: FORM })
  const undo = await undoToken()
  await visit('GET /undo-email-change', { query: { token: undo } })
  await visit('POST /auth/email/change/undo', { body: { token: undo } })
  await visit('POST /undo-email-change', { query: { token: await undoToken() }, rawBody: '', headers: FORM })
}

/** Returns the token of the link that changes somebody's address. */
async function changeToken(): Promise<string> {
  const { token } = await aProvenUser()
  const newEmail = newAddress()
  const { mails } = await mailedBy(requestChange, { token, body: { newEmail, password: PASSWORD } })
  return mailTo(mails, newEmail)
}

/** Returns the token of the link that brings somebody's former address back. */
async function undoToken(): Promise<string> {
  const { mails } = await mailedBy(confirmChange, { body: { token: await changeToken() } })
  return tokenIn(mails[0])
}

async function visitPasswords(visit: Visit): Promise<void> {
  const user = await aProvenUser()
  await visit('POST /auth/password', {
    token: user.token,
    body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
  })
  await visit('POST /auth/password/forgot', { body: { email: user.email } })
  const token = await resetToken()
  await visit('GET /reset-password', { query: { token } })
  await visit('POST /auth/password/reset', { body: { token, newPassword: NEW_PASSWORD } })
  const rawBody = new URLSearchParams({ newPassword: NEW_PASSWORD }).toString()
  await visit('POST /reset-password', { query: { token: await resetToken() }, rawBody, headers: FORM })
}

/** Returns the token of the link with which somebody chooses another password. */
async function resetToken(): Promise<string> {
  const { mails } = await mailedBy(forgotPassword, { body: { email: (await aProvenUser()).email } })
  return tokenIn(mails[0])
}

async function visitIdentities(visit: Visit): Promise<void> {
  const agent = await anAgent()
  const token = await consoleToken()
  await visit('POST /auth/kyc/documents', {
    token: agent.token,
    ...form(filePart(photograph()), textPart('passport', 'type')),
  })
  await handIn(agent.token, { type: 'selfie' })
  await visit('GET /auth/kyc', { token: agent.token })
  await visit('GET /admin/kyc', { token })
  await visit('GET /admin/kyc/{userId}', { token, params: { userId: agent.id } })
  await visit('PATCH /auth/kyc', { token, body: { userId: agent.id, kycStatus: 'VERIFIED' } })
  await visit('GET /agents/{userId}', { params: { userId: agent.id } })
  const other = await anAgent()
  await handIn(other.token)
  await visit('POST /auth/kyc/withdraw', { token: other.token })
}

async function visitUsers(visit: Visit): Promise<void> {
  const { id } = await aUser()
  const token = await consoleToken()
  await visit('GET /admin/users', { token })
  await visit('GET /admin/users/{id}', { token, params: { id } })
  await visit('PATCH /admin/users/{id}', {
    token,
    params: { id },
    body: { status: 'BANNED', reason: 'spam' },
  })
}
