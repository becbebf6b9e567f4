import { describe, expect, it } from 'vitest'
import { spec as requestEmailChange } from '#functions/accounts/addresses/request-email-change'
import { spec as requestVerification } from '#functions/accounts/addresses/request-email-verification'
import { spec as verifyEmail } from '#functions/accounts/addresses/verify-email'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as changePassword } from '#functions/accounts/passwords/change-password'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as reset } from '#functions/accounts/passwords/reset-password'
import { spec as putAgentProfile } from '#functions/accounts/put-agent-profile'
import { spec as register } from '#functions/accounts/register'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as refresh } from '#functions/accounts/sessions/refresh'
import { spec as followAccounts } from '#functions/jobs/follow-accounts'
import { spec as getKyc } from '#functions/kyc/get-kyc'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as getListing } from '#functions/listings/get-listing'
import { spec as getPreferences } from '#functions/notifications/get-preferences'
import { spec as putPreferences } from '#functions/notifications/put-preferences'
import { spec as getPayoutAccount } from '#functions/payouts/get-payout-account'
import { openAccounts } from '#lib/accounts/account-store.dynamo'
import { sessions as sessionStore } from '#lib/accounts/sessions/session-store.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { newId, UserId } from '#lib/kernel/id'
import { openMailQueue } from '#lib/mail/mail-queue.dynamo'
import { takeBackKey } from '#lib/privacy/privacy.keys'
import { call } from '#test/support/call'
import {
  aUser,
  consoleToken,
  type GivenUser,
  PASSWORD,
  verified as verifiedIdentity,
} from '#test/support/given'
import { mailedBy, mailsSentFor, tokenIn } from '#test/support/mail'
import { overtakenBy } from '#test/support/overtaken'
import { payTo } from '#test/support/payouts'
import { streamTo } from '#test/support/stream'
import { testTable } from '#test/support/test-table'

const NEW_PASSWORD = 'nine herons over the weir'

const MINUTES = 60_000
const later = (minutes: number) => {
  const moment = Date.now() + minutes * MINUTES
  return { now: () => new Date(moment) }
}

const signIn = async (email: string, password: string, ipAddress = '203.0.113.7') =>
  call(login, { body: { email, password }, ipAddress })

const status = async (email: string, password: string) => (await signIn(email, password)).status

const resetToken = async (email: string) => {
  const { mails } = await mailedBy(forgot, { body: { email } })
  return tokenIn(mails[0])
}

const resetWith = (token: unknown, newPassword: unknown = NEW_PASSWORD, minutes = 0) =>
  call(reset, { body: { token, newPassword }, deps: later(minutes) })

const verified = async (user: GivenUser) => {
  const { mails } = await mailedBy(requestVerification, { token: user.token })
  expect(await call(verifyEmail, { body: { token: tokenIn(mails[0]) } })).toMatchObject({ status: 204 })
  return user
}

const profile = (token: string) => call(getProfile, { token })

const INVALID_TOKEN = { status: 400, body: { code: 'invalid_token' } }

// Whoever finds a device signed in could otherwise try passwords until one fits.
describe('wrong current passwords', () => {
  const WRONG = 'not the password'
  it.each([
    ['for a new password', changePassword, { currentPassword: WRONG, newPassword: NEW_PASSWORD }],
    ['for a new e-mail', requestEmailChange, { password: WRONG, newEmail: 'guessed@example.com' }],
  ])('%s end their session at the tenth within an hour, and no other', async (_, spec, body) => {
    const user = await aUser()
    const other = (await signIn(user.email, PASSWORD)).body
    const guess = (index: number) => call(spec, { token: user.token, body, ipAddress: `198.51.100.${index}` })
    for (let index = 0; index < 10; index += 1) {
      expect(await guess(index)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    }
    expect(await guess(10)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
    expect(await profile(other.accessToken)).toMatchObject({ status: 200 })
  })

  it('are counted by themselves: right ones between them neither add to the ten nor take from them', async () => {
    const { token } = await aUser()
    const prove = (password: string, index: number) =>
      call(stepUp, { token, body: { password }, ipAddress: `198.51.100.${index}` })
    for (let index = 0; index < 10; index += 1) {
      expect(await prove(PASSWORD, index)).toMatchObject({ status: 200 })
      expect(await prove(WRONG, index)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    }
    expect(await prove(PASSWORD, 10)).toMatchObject({ status: 401, body: { code: 'unauthenticated' } })
  })

  it('are not counted for right ones that come at once, however many', async () => {
    const { token } = await aUser()
    const prove = (index: number) =>
      call(stepUp, { token, body: { password: PASSWORD }, ipAddress: `198.51.100.${index}` })
    const answers = await Promise.all(Array.from({ length: 15 }, (_, index) => prove(index)))
    // One that waited for too long is a 429.
    expect(answers.filter(({ status }) => status === 401)).toEqual([])
    expect(await profile(token)).toMatchObject({ status: 200 })
  })
})

describe('a change of password', () => {
  const change = (token: string, currentPassword: unknown, newPassword: unknown, ipAddress = '203.0.113.7') =>
    call(changePassword, { token, body: { currentPassword, newPassword }, ipAddress })

  it('lets the new password in and the old one out, and ends every other session at once', async () => {
    const user = await aUser()
    const other: { accessToken: string; refreshToken: string } = (await signIn(user.email, PASSWORD)).body
    expect(await change(user.token, PASSWORD, NEW_PASSWORD)).toMatchObject({ status: 204, text: '' })
    expect(await profile(user.token)).toMatchObject({ status: 200 })
    expect(await profile(other.accessToken)).toMatchObject({ status: 401 })
    const refreshed = await call(refresh, { body: { refreshToken: other.refreshToken } })
    expect(refreshed).toMatchObject({ status: 401, body: { code: 'invalid_refresh_token' } })
    expect(await call(refresh, { body: { refreshToken: user.refreshToken } })).toMatchObject({ status: 200 })
    expect([await status(user.email, PASSWORD), await status(user.email, NEW_PASSWORD)]).toEqual([401, 200])
  })

  it('ends a sign-in with the old password that it overtakes', async () => {
    const user = await aUser()
    const sessions = sessionStore.make()
    const overtaken: typeof sessions.commit = async (writes) => {
      await call(changePassword, {
        token: user.token,
        body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
      })
      return sessions.commit(writes)
    }
    const body = { email: user.email, password: PASSWORD }
    expect(await call(login, { body, deps: { sessions: { ...sessions, commit: overtaken } } })).toMatchObject(
      {
        status: 401,
        body: { code: 'invalid_credentials' },
      },
    )
  })

  it('a wrong current password refuses the change and counts as a failed sign-in', async () => {
    const user = await aUser()
    const ipAddress = '198.51.100.200'
    for (let failed = 0; failed < 10; failed += 1) {
      const answer = await change(user.token, 'not the password', NEW_PASSWORD, ipAddress)
      expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    }
    expect(await change(user.token, PASSWORD, NEW_PASSWORD, ipAddress)).toMatchObject({ status: 401 })
    expect(await signIn(user.email, PASSWORD, ipAddress)).toMatchObject({ status: 429 })
  })

  it('refuses a weak one, naming the field', async () => {
    const user = await aUser()
    for (const weak of ['short', 'password1234', user.email]) {
      expect(await change(user.token, PASSWORD, weak), weak).toMatchObject({
        status: 400,
        body: { code: 'weak_password', errors: [{ path: 'newPassword' }] },
      })
    }
    expect(await change(user.token, PASSWORD, undefined)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'newPassword', code: 'required' }] },
    })
  })

  it('happens once when it is asked for many times at once', async () => {
    const user = await aUser()
    const wanted = ['one', 'two', 'three'].map((word) => `${NEW_PASSWORD} ${word}`)
    const answers = await Promise.all(wanted.map((next) => change(user.token, PASSWORD, next)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 401, 401])
    const signedIn = await Promise.all(wanted.map((next) => status(user.email, next)))
    expect(signedIn).toEqual(answers.map((answer) => (answer.status === 204 ? 200 : 401)))
  })
})

describe('a forgotten password', () => {
  it('is answered alike for everyone, and a link goes to whom it belongs', async () => {
    const { email } = await aUser()
    const known = await mailedBy(forgot, { body: { email: email.toUpperCase() } })
    const unknown = await mailedBy(forgot, { body: { email: 'nobody@example.com' } })
    expect([known.answer, unknown.answer]).toMatchObject([
      { status: 202, text: '' },
      { status: 202, text: '' },
    ])
    expect(unknown.mails).toEqual([])
    const [mail, ...more] = known.mails
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: email, subject: 'Choose a new password' })
    const link = `https://api.platform.test/reset-password?token=${tokenIn(mail)}`
    expect(mail?.text).toContain(`\n${link}\n`)
    expect(mail?.html).toContain(`href="${link}"`)
  })

  it('is mailed five times an hour, then silently not again but every 15 minutes', async () => {
    const { email } = await aUser()
    const send = (minutes = 0) => mailedBy(forgot, { body: { email }, deps: later(minutes) })
    for (let sent = 0; sent < 5; sent += 1) expect((await send()).mails).toHaveLength(1)
    expect(await send(14)).toMatchObject({ answer: { status: 202 }, mails: [] })
    // A reset is sent every 15 minutes at least, or others could keep its owner from ever getting one.
    expect((await send(16)).mails).toHaveLength(1)
    expect(await send(17)).toMatchObject({ mails: [] })
    expect((await send(80)).mails).toHaveLength(1)
  })

  it('is mailed five times, too, when it is asked for many times at once', async () => {
    const { email } = await aUser()
    const all = await Promise.all(Array.from({ length: 12 }, () => mailedBy(forgot, { body: { email } })))
    expect(all.flatMap(({ mails }) => mails)).toHaveLength(5)
  })

  it('is mailed once when the stream brings the same request twice, and not half an hour late', async () => {
    const { email } = await aUser()
    const stored = async () => {
      const about = { registration: null, userId: null, sessionId: null, network: null }
      const request = { purpose: 'password-reset', email, ...about } as const
      const mail = { id: newId('mail'), at: timestamp(new Date()), ...request }
      const queue = openMailQueue(testTable())
      await queue.commit([queue.request(mail)])
      return mail
    }
    const request = await stored()
    expect(await mailsSentFor([request, request])).toHaveLength(1)
    expect(await mailsSentFor([request])).toEqual([])
    expect(await mailsSentFor([await stored()], later(31))).toEqual([])
  })

  it('refuses what is no address', async () => {
    expect(await call(forgot, { body: { email: 'nobody' } })).toMatchObject({ status: 400 })
  })
})

describe('a password reset', () => {
  it('lets the new password in and ends every session at once', async () => {
    const user = await verified(await aUser({ phone: '+2250700000000' }))
    expect(await resetWith(await resetToken(user.email))).toMatchObject({ status: 204, text: '' })
    expect(await profile(user.token)).toMatchObject({ status: 401 })
    const refreshed = await call(refresh, { body: { refreshToken: user.refreshToken } })
    expect(refreshed).toMatchObject({ status: 401 })
    expect(await status(user.email, PASSWORD)).toBe(401)
    const answer = await signIn(user.email, NEW_PASSWORD)
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { name: 'Awa Koné', phone: '+2250700000000' } },
    })
  })

  it('works once, even when the same link is used many times at once', async () => {
    const { email } = await aUser()
    const token = await resetToken(email)
    const wanted = ['one', 'two', 'three', 'four'].map((word) => `${NEW_PASSWORD} ${word}`)
    const answers = await Promise.all(wanted.map((next) => resetWith(token, next)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([204, 400, 400, 400])
    const signedIn = await Promise.all(wanted.map((next) => status(email, next)))
    expect(signedIn).toEqual(answers.map((answer) => (answer.status === 204 ? 200 : 401)))
    expect(await resetWith(token)).toMatchObject(INVALID_TOKEN)
  })

  it('works for thirty minutes', async () => {
    const token = await resetToken((await aUser()).email)
    expect(await resetWith(token, NEW_PASSWORD, 31)).toMatchObject(INVALID_TOKEN)
    expect(await resetWith(token, NEW_PASSWORD, 29)).toMatchObject({ status: 204 })
  })

  it('voids every other link of the account, as a change of password does', async () => {
    const user = await aUser()
    const [one, two] = [await resetToken(user.email), await resetToken(user.email)]
    expect(await resetWith(one)).toMatchObject({ status: 204 })
    expect(await resetWith(two)).toMatchObject(INVALID_TOKEN)

    const other = await aUser()
    const before = await resetToken(other.email)
    await call(changePassword, {
      token: other.token,
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    })
    expect(await resetWith(before)).toMatchObject(INVALID_TOKEN)
  })

  it('a weak password is refused and leaves the link valid', async () => {
    const { email } = await aUser()
    const token = await resetToken(email)
    expect(await resetWith(token, email)).toMatchObject({
      status: 400,
      body: { code: 'weak_password', errors: [{ path: 'newPassword' }] },
    })
    expect(await resetWith(token)).toMatchObject({ status: 204 })
  })

  it('refuses every token that was not mailed for it', async () => {
    const user = await aUser()
    const token = await resetToken(user.email)
    const { mails } = await mailedBy(requestVerification, { token: user.token })
    const [id, mac = ''] = token.split('.')
    const wrong = [
      'x',
      `${token}x`,
      token.slice(0, -1),
      `${id}.`,
      `evt_01KAH3M6XQ8ZJ4T2V7W9C5RBND.${mac}`,
      `${id}.${[...mac].reverse().join('')}`,
      tokenIn(mails[0]),
      user.refreshToken,
      user.token,
    ]
    for (const forged of wrong) expect(await resetWith(forged), forged).toMatchObject(INVALID_TOKEN)
    expect(await resetWith(token)).toMatchObject({ status: 204 })
  })
})

// Somebody registers another person's address, fills the account with what suits them and waits for its owner.
describe('an address that somebody else has registered', () => {
  it('is taken back by the first reset, with nothing of theirs left', async () => {
    const squatter = await aUser()
    await call(putAgentProfile, { token: squatter.token, body: { displayName: 'Not Awa' } })
    await verifiedIdentity(squatter.id)
    const earlier = await mailedBy(requestVerification, { token: squatter.token })
    const waiting = await mailedBy(requestVerification, { token: squatter.token })

    expect(await resetWith(await resetToken(squatter.email))).toMatchObject({ status: 204 })
    expect(await profile(squatter.token)).toMatchObject({ status: 401 })
    const answer = await signIn(squatter.email, NEW_PASSWORD)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user: {
          id: squatter.id,
          name: null,
          phone: null,
          roles: ['user'],
          kycStatus: 'UNVERIFIED',
          emailVerified: true,
        },
      },
    })
    const { accessToken } = answer.body
    expect(await call(getKyc, { token: accessToken })).toMatchObject({ body: { documents: [], reasons: [] } })
    for (const { mails } of [earlier, waiting]) {
      const proof = await call(verifyEmail, { body: { token: tokenIn(mails[0]) } })
      expect(proof).toMatchObject(INVALID_TOKEN)
    }
    const account = await openAccounts(testTable()).get(UserId.parse(squatter.id))
    expect(account?.kyc).toMatchObject({ documentCount: 0, decisionCount: 2 })
  })

  it('leaves its owner no payout account of whoever registered it', async () => {
    const squatter = await aUser()
    await call(putAgentProfile, { token: squatter.token, body: { displayName: 'Not Awa' } })
    await verifiedIdentity(squatter.id)
    expect(await payTo(squatter)).toMatchObject({ status: 200 })
    await resetWith(await resetToken(squatter.email))
    const { accessToken } = (await signIn(squatter.email, NEW_PASSWORD)).body
    await call(putAgentProfile, { token: accessToken, body: { displayName: 'Awa' } })
    expect(await call(getPayoutAccount, { token: accessToken })).toMatchObject({ status: 404 })
  })

  it('mails its owner whatever whoever registered it did not want to be mailed', async () => {
    const squatter = await aUser()
    const mail = { listings: false, enquiries: false }
    expect(await call(putPreferences, { token: squatter.token, body: { mail } })).toMatchObject({
      status: 200,
    })
    await resetWith(await resetToken(squatter.email))
    const { accessToken: token } = (await signIn(squatter.email, NEW_PASSWORD)).body
    expect(await call(getPreferences, { token })).toMatchObject({
      body: { mail: { listings: true, enquiries: true, payments: true, favourites: true, searches: true } },
    })
  })

  // They would otherwise return under the owner's name at the next verification.
  it('has the listings archived that were made before, and no later ones', async () => {
    const squatter = await aUser()
    await call(putAgentProfile, { token: squatter.token, body: { displayName: 'Not Awa' } })
    const draft = { offer: 'sale', category: 'house' }
    const before = (await call(createListing, { token: squatter.token, body: draft })).body
    await resetWith(await resetToken(squatter.email))
    const { accessToken } = (await signIn(squatter.email, NEW_PASSWORD)).body
    await call(putAgentProfile, { token: accessToken, body: { displayName: 'Awa' } })
    const after = (await call(createListing, { token: accessToken, body: draft })).body
    await streamTo(followAccounts, takeBackKey(UserId.parse(squatter.id)))
    const statusOf = async ({ id }: { id: string }) =>
      (await call(getListing, { token: accessToken, params: { id } })).body.status
    expect([await statusOf(before), await statusOf(after)]).toEqual(['ARCHIVED', 'DRAFT'])
  })

  // A person rejected for fraud would otherwise begin anew by a reset of their own.
  it('keeps the decision that rejected it, and nothing else of what was entered', async () => {
    const squatter = await aUser({ phone: '+2250700000000' })
    const token = await consoleToken()
    const body = { userId: squatter.id, kycStatus: 'REJECTED', reasons: ['suspected_fraud'] }
    expect(await call(setKycStatus, { token, body })).toMatchObject({ status: 200 })
    await resetWith(await resetToken(squatter.email))
    expect(await signIn(squatter.email, NEW_PASSWORD)).toMatchObject({
      body: { user: { name: null, phone: null, kycStatus: 'REJECTED' } },
    })
  })

  it('proves nothing for them by a mail that its owner opens after taking it back', async () => {
    const squatter = await aUser({ phone: '+2250700000000' })
    const { mails } = await mailedBy(requestVerification, { token: squatter.token })
    expect(await resetWith(await resetToken(squatter.email))).toMatchObject({ status: 204 })
    expect(await call(verifyEmail, { body: { token: tokenIn(mails[0]) } })).toMatchObject(INVALID_TOKEN)
  })

  it('is not cleared by a reset that the verification of the address overtakes', async () => {
    const owner = await aUser()
    const token = await resetToken(owner.email)
    const deps = overtakenBy(() => verified(owner))
    expect(await call(reset, { body: { token, newPassword: NEW_PASSWORD }, deps })).toMatchObject({
      status: 204,
    })
    expect(await signIn(owner.email, NEW_PASSWORD)).toMatchObject({ body: { user: { name: 'Awa Koné' } } })
  })

  it('is cleared once only: what its owner enters afterwards stays', async () => {
    const { email } = await aUser()
    await resetWith(await resetToken(email))
    const { accessToken } = (await signIn(email, NEW_PASSWORD)).body
    await call(putAgentProfile, { token: accessToken, body: { displayName: 'Awa' } })
    expect(await resetWith(await resetToken(email), PASSWORD)).toMatchObject({ status: 204 })
    expect(await signIn(email, PASSWORD)).toMatchObject({ body: { user: { roles: ['user', 'agent'] } } })
  })

  it('cannot be registered a second time', async () => {
    const { email } = await aUser()
    const body = { email, password: PASSWORD, name: 'Awa' }
    const again = await call(register, { body, ipAddress: '198.51.100.9' })
    expect(again).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  })
})
