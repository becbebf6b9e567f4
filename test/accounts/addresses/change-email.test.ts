import { describe, expect, it } from 'vitest'
import { spec as confirmChange } from '#functions/accounts/addresses/confirm-email-change'
import { spec as requestChange } from '#functions/accounts/addresses/request-email-change'
import { spec as undoChange } from '#functions/accounts/addresses/undo-email-change'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as resetPassword } from '#functions/accounts/passwords/reset-password'
import { spec as register } from '#functions/accounts/register'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as deleteAccount } from '#functions/privacy/delete-account'
import { emailKeyOf } from '#lib/accounts/account'
import { emailKey } from '#lib/accounts/account.keys'
import type { Mail } from '#lib/mail/mailer'
import { call } from '#test/support/call'
import { aProvenUser, aUser, type GivenUser, PASSWORD } from '#test/support/given'
import { mailedBy, tokenIn } from '#test/support/mail'
import { testTable } from '#test/support/test-table'

let addresses = 0
const anAddress = () => {
  addresses += 1
  return `new-${addresses}@example.com`
}
const hours = (count: number) => {
  const moment = Date.now() + count * 3_600_000
  return { now: () => new Date(moment) }
}

const ask = (user: GivenUser, newEmail: string, password = PASSWORD) =>
  mailedBy(requestChange, { token: user.token, body: { newEmail, password } })
const confirm = (token: string, later = 0) => mailedBy(confirmChange, { body: { token }, deps: hours(later) })
const undo = (token: string, later = 0) => mailedBy(undoChange, { body: { token }, deps: hours(later) })
const mailTo = (mails: readonly Mail[], address: string) => mails.find(({ to }) => to === address)
const signIn = async (email: string, password = PASSWORD) =>
  (await call(login, { body: { email, password } })).status
const profileOf = async (token: string) => (await call(getProfile, { token })).body
const INVALID_TOKEN = { status: 400, body: { code: 'invalid_token' } }

/** Changes an address and returns the token that brings the former one back. */
async function changed(user: GivenUser, newEmail: string): Promise<string> {
  const asked = await ask(user, newEmail)
  const { answer, mails } = await confirm(tokenIn(mailTo(asked.mails, newEmail)))
  expect(answer.status).toBe(204)
  return tokenIn(mails[0])
}

/** Changes the address of a signed-in account once more. */
async function changeAgain(token: string, later: number): Promise<void> {
  const newEmail = anAddress()
  const body = { newEmail, password: PASSWORD }
  const { mails } = await mailedBy(requestChange, { token, body, deps: hours(later) })
  const { answer } = await confirm(tokenIn(mailTo(mails, newEmail)), later)
  expect(answer).toMatchObject({ status: 204 })
}

/** Ends a signed-in account. */
async function endAccount(token: string, later: number): Promise<void> {
  const request = { token, body: { password: PASSWORD }, deps: hours(later) }
  expect(await call(deleteAccount, request)).toMatchObject({ status: 204 })
}

describe('a change of e-mail', () => {
  it('mails a link to the new address and word of it to the present one, and changes nothing yet', async () => {
    const user = await aProvenUser()
    const newEmail = anAddress()
    const { answer, mails } = await ask(user, newEmail)
    expect(answer).toMatchObject({ status: 202, text: '' })
    expect(mails).toHaveLength(2)
    expect(mailTo(mails, newEmail)?.text).toContain('https://api.platform.test/change-email?token=')
    expect(mailTo(mails, user.email)?.text).not.toContain('token=')
    expect(await profileOf(user.token)).toMatchObject({ email: user.email })
  })

  it('gives the account the verified new address, keeps the asking session and ends the others', async () => {
    const user = await aProvenUser()
    const other = (await call(login, { body: { email: user.email, password: PASSWORD } })).body
    const newEmail = anAddress()
    const { mails } = await ask(user, newEmail)
    const token = tokenIn(mailTo(mails, newEmail))
    const done = await confirm(token)
    expect(done.answer).toMatchObject({ status: 204, text: '' })
    expect(done.mails).toMatchObject([{ to: user.email }])
    expect(done.mails[0]?.text).toContain('https://api.platform.test/undo-email-change?token=')
    expect(await profileOf(user.token)).toMatchObject({ email: newEmail, emailVerified: true })
    expect(await call(getProfile, { token: other.accessToken })).toMatchObject({ status: 401 })
    expect([await signIn(newEmail), await signIn(user.email)]).toEqual([200, 401])
    expect((await confirm(token)).answer).toMatchObject(INVALID_TOKEN)
  })

  it('is refused with a wrong password and for what is no address', async () => {
    const user = await aUser()
    expect((await ask(user, anAddress(), 'not the password')).answer).toMatchObject({
      status: 401,
      body: { code: 'invalid_credentials' },
    })
    expect((await ask(user, 'nobody')).answer).toMatchObject({ status: 400 })
  })

  // Whether an address has an account must not be told by this answer.
  it('answers the same for a taken address, whose owner is told so, and changes nothing', async () => {
    const [user, owner] = [await aUser(), await aProvenUser()]
    const { answer, mails } = await ask(user, owner.email.toUpperCase())
    expect(answer).toMatchObject({ status: 202, text: '' })
    expect(mails.map(({ to }) => to).sort()).toEqual([owner.email, user.email].sort())
    expect(mails.some(({ text }) => text.includes('token='))).toBe(false)
  })

  it('is refused once the address has been taken meanwhile', async () => {
    const user = await aUser()
    const newEmail = anAddress()
    const { mails } = await ask(user, newEmail)
    const body = { email: newEmail, password: PASSWORD, name: 'Faster' }
    expect(await call(register, { body, ipAddress: '203.0.113.51' })).toMatchObject({ status: 201 })
    expect((await confirm(tokenIn(mailTo(mails, newEmail)))).answer).toMatchObject({
      status: 409,
      body: { code: 'email_taken' },
    })
  })

  it('works for 24 hours, and not once the password is another', async () => {
    const user = await aProvenUser()
    const newEmail = anAddress()
    const late = tokenIn(mailTo((await ask(user, newEmail)).mails, newEmail))
    expect((await confirm(late, 25)).answer).toMatchObject(INVALID_TOKEN)
    const { mails } = await mailedBy(forgot, { body: { email: user.email } })
    const body = { token: tokenIn(mails[0]), newPassword: 'nine herons over the weir' }
    expect(await call(resetPassword, { body })).toMatchObject({ status: 204 })
    expect((await confirm(late)).answer).toMatchObject(INVALID_TOKEN)
  })
})

describe('a former address', () => {
  it('stays taken for 72 hours and is free after them', async () => {
    const user = await aProvenUser()
    await changed(user, anAddress())
    const again = (later: number) => {
      const body = { email: user.email, password: PASSWORD, name: 'Another' }
      return call(register, { body, ipAddress: '203.0.113.52', deps: hours(later) })
    }
    expect(await again(71)).toMatchObject({ status: 409, body: { code: 'email_taken' } })
    expect(await again(73)).toMatchObject({ status: 201 })
  })

  // Somebody who holds a session and the password takes the account over by changing its address.
  it('is brought back by its link, which voids password, sessions and links and mails a reset link', async () => {
    const user = await aProvenUser()
    const newEmail = anAddress()
    const token = await changed(user, newEmail)
    const { mails: stolen } = await mailedBy(forgot, { body: { email: newEmail } })
    const body = { token: tokenIn(stolen[0]), newPassword: 'nine herons over the weir' }
    expect(await call(resetPassword, { body })).toMatchObject({ status: 204 })

    const { answer, mails } = await undo(token)
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(mails).toMatchObject([{ to: user.email }])
    expect(await testTable().get(emailKey(emailKeyOf(user.email)))).toMatchObject({
      kind: 'email',
      userId: user.id,
    })
    expect(await call(getProfile, { token: user.token })).toMatchObject({ status: 401 })
    expect([await signIn(user.email), await signIn(user.email, body.newPassword)]).toEqual([401, 401])
    const reset = { token: tokenIn(mails[0]), newPassword: 'five swifts under the eaves' }
    expect(await call(resetPassword, { body: reset })).toMatchObject({ status: 204 })
    expect([await signIn(user.email, reset.newPassword), await signIn(newEmail, reset.newPassword)]).toEqual([
      200, 401,
    ])
    expect((await undo(token)).answer).toMatchObject(INVALID_TOKEN)
  })

  it('that is brought back is mailed its reset link however many were asked for before', async () => {
    const user = await aProvenUser()
    for (let times = 0; times < 5; times += 1) {
      expect((await mailedBy(forgot, { body: { email: user.email } })).mails).toHaveLength(1)
    }
    const link = await changed(user, anAddress())
    const { answer, mails } = await undo(link)
    expect(answer.status).toBe(204)
    expect(mails.map(({ to }) => to)).toEqual([user.email])
    const reset = { token: tokenIn(mails[0]), newPassword: 'nine herons over the weir' }
    expect(await call(resetPassword, { body: reset })).toMatchObject({ status: 204 })
  })

  it('is brought back by the oldest good link, which voids the later ones; a later one leaves it good', async () => {
    const user = await aProvenUser()
    const [second, third] = [anAddress(), anAddress()]
    const first = await changed(user, second)
    const later = await changed(user, third)
    expect((await undo(later)).answer).toMatchObject({ status: 204 })
    expect((await undo(first)).answer).toMatchObject({ status: 204 })

    const other = await aProvenUser()
    const [oldest, newer] = [await changed(other, anAddress()), await changed(other, anAddress())]
    expect((await undo(oldest)).answer).toMatchObject({ status: 204 })
    expect((await undo(newer)).answer).toMatchObject(INVALID_TOKEN)
  })

  it('cannot be brought back after 72 hours', async () => {
    const token = await changed(await aProvenUser(), anAddress())
    expect((await undo(token, 73)).answer).toMatchObject(INVALID_TOKEN)
    expect((await undo(token, 71)).answer).toMatchObject({ status: 204 })
  })

  it('that another has registered after 72 hours stays theirs when the account changes its address, or ends', async () => {
    const later = 73
    for (const leave of [changeAgain, endAccount]) {
      const user = await aProvenUser()
      const newEmail = anAddress()
      await changed(user, newEmail)
      const owner = { email: user.email, password: 'five swifts under the eaves' }
      const registered = await call(register, {
        body: { ...owner, name: 'Another' },
        ipAddress: '203.0.113.53',
        deps: hours(later),
      })
      expect(registered).toMatchObject({ status: 201 })
      const { body } = await call(login, {
        body: { email: newEmail, password: PASSWORD },
        deps: hours(later),
      })
      await leave(body.accessToken, later)
      expect(await signIn(owner.email, owner.password)).toBe(200)
    }
  })

  it('that another has registered after 72 hours is refused to the account as taken', async () => {
    const user = await aProvenUser()
    const newEmail = anAddress()
    await changed(user, newEmail)
    const { body } = await call(login, { body: { email: newEmail, password: PASSWORD }, deps: hours(73) })
    const asked = await mailedBy(requestChange, {
      token: body.accessToken,
      body: { newEmail: user.email, password: PASSWORD },
      deps: hours(73),
    })
    await call(register, {
      body: { email: user.email, password: PASSWORD, name: 'Another' },
      ipAddress: '203.0.113.54',
      deps: hours(73),
    })
    const { answer } = await confirm(tokenIn(mailTo(asked.mails, user.email)), 73)
    expect(answer).toMatchObject({ status: 409, body: { code: 'email_taken' } })
  })

  it('to which the account has returned frees the address between when it is brought back', async () => {
    const user = await aProvenUser()
    const between = anAddress()
    const first = await changed(user, between)
    await changed(user, user.email)
    expect((await undo(first)).answer).toMatchObject({ status: 204 })
    const body = { email: between, password: PASSWORD, name: 'Another' }
    expect(await call(register, { body, ipAddress: '203.0.113.55' })).toMatchObject({ status: 201 })
  })
})
