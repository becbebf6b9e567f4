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
    ['to verify an address', showVerify],
    ['to reset a password', showReset],
    ['to change an address', showChange],
    ['to undo a change', showUndo],
  ])('%s is a plain form, which no cache keeps and which changes nothing', async (_, spec) => {
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

  it.each([
    ['to verify an address', showVerify, submitVerify],
    ['to reset a password', showReset, submitReset],
    ['to change an address', showChange, submitChange],
    ['to undo a change', showUndo, submitUndo],
  ])('%s is compressed, since the token stays in its address', async (_, shown, submitted) => {
    const request = {
      query: { token: 'a-token-of-a-mail' },
      headers: { accept: 'text/html', 'accept-encoding': 'br' },
    }
    const answers = [await call(shown, request), await call(submitted, { ...request, rawBody: '' })]
    for (const { headers, text } of answers) {
      expect(headers['content-encoding']).toBe('br')
      expect(text).not.toContain('a-token-of-a-mail')
    }
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
    const present = async () => (await call(getProfile, { token })).body.email
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
    expect(text).toContain('<h1>This link does not work any more</h1>')
    expect(text).not.toContain('<script')
    const problem = await call(submitVerify, { query, headers: { ...FORM, accept: '*/*' } })
    expect(problem).toMatchObject({ status: 400, body: { code: 'invalid_token' } })
    expect(await call(getProfile, { headers: { accept } })).toMatchObject({
      body: { code: 'unauthenticated' },
    })
  })

  it('offers another reset in the reader’s language where the address of the page was mangled', async () => {
    const { status, text } = await call(showReset, {
      query: { token: 'x'.repeat(501) },
      headers: { accept: 'text/html', 'accept-language': 'fr' },
    })
    expect(status).toBe(400)
    expect(text).toContain('<html lang="fr" dir="ltr">')
    expect(text).toContain('type="email"')
  })

  it.each([
    ['to reset a password', '/reset-password', submitReset],
    ['to verify an address', '/verify-email', submitVerify],
  ])(
    '%s mails another link also where the token of its address was cut off or is too long',
    async (_, path, spec) => {
      const headers = { ...FORM, accept: 'text/html' }
      for (const token of ['', 'x'.repeat(501)]) {
        const { email } = await aUser()
        const gone = await call(spec, { query: { token }, rawBody: '', headers })
        const [form, action = ''] =
          /<form method="post"(?: action="([^"]*)")?>\s*<p><label for="email">/.exec(gone.text) ?? []
        expect(form).toBeDefined()
        const target = new URL(action, `https://api.platform.test${path}?token=${token}`)
        expect(target.pathname).toBe(path)
        const query = Object.fromEntries(target.searchParams)
        const { answer, mails } = await mailedBy(spec, { query, rawBody: `email=${email}`, headers })
        expect(answer.status).toBe(200)
        expect(mails.map(({ to }) => to)).toEqual([email])
      }
    },
  )

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

  it('says the rule of a new password beforehand, and keeps its form with what is wrong', async () => {
    const { email } = await aUser()
    const { mails } = await mailedBy(forgot, { body: { email } })
    const query = { token: tokenIn(mails[0]) }
    const headers = { ...FORM, accept: 'text/html', 'accept-language': 'fr' }
    const shown = await call(showReset, { query, headers })
    expect(shown.text).toContain('De 12 à 128 caractères.')
    const submit = (newPassword: string) =>
      call(submitReset, { query, rawBody: new URLSearchParams({ newPassword }).toString(), headers })
    for (const [typed, reason] of [
      ['kurz', 'Le mot de passe doit compter de 12 à 128 caractères.'],
      ['', 'Le mot de passe doit compter de 12 à 128 caractères.'],
      ['P@ssword12345', 'Ce mot de passe est trop courant ou a été divulgué.'],
      [email, 'Le mot de passe ne doit être ni votre nom ni votre adresse e-mail.'],
    ] as const) {
      const { status, text } = await submit(typed)
      expect(status).toBe(400)
      expect(text).toContain(reason)
      expect(text).toContain('name="newPassword"')
      expect(text).toContain('De 12 à 128 caractères.')
      if (typed) expect(text).not.toContain(`"${typed}"`)
    }
    expect((await submit('neuf hérons et un barrage')).status).toBe(200)
  })

  it('mails another link to who opens the reset without a token, or with one that was used', async () => {
    const { email } = await aUser()
    const { mails } = await mailedBy(forgot, { body: { email } })
    const query = { token: tokenIn(mails[0]) }
    const headers = { ...FORM, accept: 'text/html' }
    const rawBody = new URLSearchParams({ newPassword: 'nine herons and a weir' }).toString()
    expect((await call(submitReset, { query, rawBody, headers })).status).toBe(200)
    const used = await call(submitReset, { query, rawBody, headers })
    expect(used).toMatchObject({ status: 400 })
    expect(used.text).toContain('Send me a new link')
    expect((await call(showReset, { headers })).text).toContain('Send me a link')
    const renew = (asked: string, query = {}) =>
      mailedBy(submitReset, { query, rawBody: new URLSearchParams({ email: asked }).toString(), headers })
    const renewed = await renew(email, query)
    expect(renewed.answer).toMatchObject({ status: 200 })
    expect(renewed.mails.map(({ to }) => to)).toEqual([email])
    const stranger = await renew(`nobody-${email}`)
    expect(stranger.answer.text).toBe(renewed.answer.text)
    expect(stranger.mails).toEqual([])
    const misspelt = await renew('awa at example.com')
    expect(misspelt).toMatchObject({ answer: { status: 400 }, mails: [] })
    expect(misspelt.answer.text).toContain('This is not an e-mail address.')
    const token = tokenIn(renewed.mails[0])
    expect((await call(submitReset, { query: { token }, rawBody, headers })).status).toBe(200)
  })

  it('mails another verification to an address that is registered and not verified, five an hour with the first', async () => {
    const { email, token } = await aUser()
    const headers = { ...FORM, accept: 'text/html' }
    const gone = await call(submitVerify, { query: { token: 'unknown' }, rawBody: '', headers })
    expect(gone).toMatchObject({ status: 400, text: expect.stringContaining('Send me a new link') })
    const renew = (asked: string) =>
      mailedBy(submitVerify, { rawBody: new URLSearchParams({ email: asked }).toString(), headers })
    const sent: unknown[] = []
    const links: string[] = []
    for (let times = 0; times < 5; times += 1) {
      const { answer, mails } = await renew(email)
      sent.push([answer.status, mails.length])
      links.push(...mails.map((mail) => tokenIn(mail)))
    }
    expect(sent).toEqual([...Array(4).fill([200, 1]), [200, 0]])
    expect((await renew(`nobody-${email}`)).mails).toEqual([])
    const query = { token: links.at(-1) ?? '' }
    expect((await call(submitVerify, { query, rawBody: '', headers })).status).toBe(200)
    expect(await call(getProfile, { token })).toMatchObject({ body: { emailVerified: true } })
    const { email: proven } = await aProvenUser()
    expect((await renew(proven)).mails).toEqual([])
  })

  it.each([
    ['of a change', submitChange, 'Sign in and ask for the change of your address again.'],
    ['of an undo', submitUndo, 'If your old address is back already'],
  ])('%s that is no good leads to a new password', async (_, spec, advice) => {
    const headers = { ...FORM, accept: 'text/html' }
    const { status, text } = await call(spec, { query: { token: 'unknown' }, rawBody: '', headers })
    expect(status).toBe(400)
    expect(text).toContain(advice)
    expect(text).toContain('<form method="post" action="/reset-password">')
  })

  it('says of a new address that was taken meanwhile that nothing changed', async () => {
    const [{ token, email }, other] = [await aProvenUser(), await aProvenUser()]
    const newEmail = `page-${email}`
    const asked = await mailedBy(requestChange, { token, body: { newEmail, password: PASSWORD } })
    const again = await mailedBy(requestChange, {
      token: other.token,
      body: { newEmail, password: PASSWORD },
    })
    const submit = (mails: typeof asked.mails) =>
      call(submitChange, {
        query: { token: tokenIn(mails.find(({ to }) => to === newEmail)) },
        rawBody: '',
        headers: { ...FORM, accept: 'text/html' },
      })
    expect((await submit(asked.mails)).status).toBe(200)
    const taken = await submit(again.mails)
    expect(taken).toMatchObject({ status: 409 })
    expect(taken.text).toContain('This address belongs to another account now. Nothing was changed.')
  })
})
