import { describe, expect, it } from 'vitest'
import { spec as requestChange } from '#functions/accounts/addresses/request-email-change'
import { spec as requestVerification } from '#functions/accounts/addresses/request-email-verification'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as showChange } from '#functions/accounts/mailed-links/show-change-email-page'
import { spec as showReset } from '#functions/accounts/mailed-links/show-reset-password-page'
import { spec as showUndo } from '#functions/accounts/mailed-links/show-undo-email-change-page'
import { spec as showVerify } from '#functions/accounts/mailed-links/show-verify-email-page'
import { spec as submitChange } from '#functions/accounts/mailed-links/submit-change-email-page'
import { spec as submitReset } from '#functions/accounts/mailed-links/submit-reset-password-page'
import { spec as submitUndo } from '#functions/accounts/mailed-links/submit-undo-email-change-page'
import { spec as submitVerify } from '#functions/accounts/mailed-links/submit-verify-email-page'
import { spec as forgot } from '#functions/accounts/passwords/forgot-password'
import { spec as login } from '#functions/accounts/sessions/login'
import { call } from '#test/support/call'
import { aProvenUser, aUser, PASSWORD } from '#test/support/given'
import { mailedBy, tokenIn } from '#test/support/mail'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

describe('the page of a mailed link', () => {
  it.each([
    ['to verify', showVerify],
    ['to reset', showReset],
    ['to change', showChange],
    ['to undo', showUndo],
  ])('%s an address is a plain form, which no cache keeps and which changes nothing', async (_, spec) => {
    const { status, headers, text } = await call(spec, { query: { token: 'x', utm_source: 'mail' } })
    expect({ status, headers }).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
      },
    })
    expect(text).toContain('<form method="post">')
    expect(text).not.toMatch(/<script|https?:/)
  })

  it('speaks the language of the browser', async () => {
    const { text } = await call(showVerify, { headers: { 'accept-language': 'ar' } })
    expect(text).toContain('<html lang="ar" dir="rtl">')
  })

  it('verifies an e-mail by its button, and again until the link expires', async () => {
    const { token } = await aUser()
    const { mails } = await mailedBy(requestVerification, { token })
    const query = { token: tokenIn(mails[0]) }
    await call(showVerify, { query })
    expect(await call(getProfile, { token })).toMatchObject({ body: { emailVerified: false } })
    const done = await call(submitVerify, { query, rawBody: '', headers: FORM })
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('Done.') })
    expect(await call(getProfile, { token })).toMatchObject({ body: { emailVerified: true } })
    expect(await call(submitVerify, { query })).toMatchObject({ status: 200 })
  })

  it('changes an e-mail by its button, and brings the former one back by the other page’s', async () => {
    const { token, email } = await aProvenUser()
    const newEmail = `page-${email}`
    const present = async () => ((await call(getProfile, { token })).body as { email: string }).email
    const asked = await mailedBy(requestChange, { token, body: { newEmail, password: PASSWORD } })
    const link = tokenIn(asked.mails.find(({ to }) => to === newEmail))
    const submit = (spec: typeof submitChange, linkToken: string) =>
      mailedBy(spec, { query: { token: linkToken }, rawBody: '', headers: FORM })
    const { answer, mails } = await submit(submitChange, link)
    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('Done.') })
    expect(await present()).toBe(newEmail)
    expect((await submit(submitUndo, tokenIn(mails[0]))).answer.status).toBe(200)
    const { mails: reset } = await mailedBy(forgot, { body: { email } })
    expect(reset.map(({ to }) => to)).toEqual([email])
    expect((await submit(submitChange, link)).answer).toMatchObject({ status: 400 })
  })

  it('says in a browser what is wrong as a page, and to other clients as a problem', async () => {
    const query = { token: '<script>alert(1)</script>' }
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const { status, headers, text } = await call(submitVerify, { query, headers: { ...FORM, accept } })
    expect({ status, headers }).toMatchObject({
      status: 400,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
      },
    })
    expect(text).toContain('<h1>The token is used, expired or unknown</h1>')
    expect(text).not.toContain('<script')
    const problem = await call(submitVerify, { query, headers: { ...FORM, accept: '*/*' } })
    expect(problem).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect(await call(getProfile, { headers: { accept } })).toMatchObject({
      body: { code: 'unauthenticated' },
    })
  })

  it('sets a new password by its form, as a browser posts it', async () => {
    const { email } = await aUser()
    const { mails } = await mailedBy(forgot, { body: { email } })
    const query = { token: tokenIn(mails[0]) }
    const submit = (newPassword: string) =>
      call(submitReset, { query, rawBody: new URLSearchParams({ newPassword }).toString(), headers: FORM })
    expect(await submit('short')).toMatchObject({ status: 400, body: { code: 'weak_password' } })
    expect(await submit('nine herons + a weir & é')).toMatchObject({ status: 200 })
    const body = { email, password: 'nine herons + a weir & é' }
    expect(await call(login, { body })).toMatchObject({ status: 200 })
  })
})
