import { describe, expect, it } from 'vitest'
import { spec as requestVerification } from '#functions/accounts/addresses/request-email-verification'
import { spec as verifyEmail } from '#functions/accounts/addresses/verify-email'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as register } from '#functions/accounts/register'
import { call } from '#test/support/call'
import { aUser, PASSWORD } from '#test/support/given'
import { mailedBy, tokenIn } from '#test/support/mail'

const HOURS = 60 * 60 * 1000
const later = (hours: number) => {
  const moment = Date.now() + hours * HOURS
  return { now: () => new Date(moment) }
}

const linkFor = async (token: string) => {
  const { mails } = await mailedBy(requestVerification, { token })
  return tokenIn(mails[0])
}

const verify = (token: unknown, hours = 0) => call(verifyEmail, { body: { token }, deps: later(hours) })

const INVALID_TOKEN = { status: 400, body: { code: 'invalid_token' } }

describe('a verification link', () => {
  it('is mailed to the address of whoever asks, and proves it, again until it expires', async () => {
    const user = await aUser()
    const { answer, mails } = await mailedBy(requestVerification, { token: user.token })
    expect(answer).toMatchObject({ status: 202, text: '' })
    expect(mails).toMatchObject([{ to: user.email, subject: 'Confirm your e-mail address' }])
    expect(mails[0]?.text).toContain('https://api.platform.test/verify-email?token=')

    expect(await call(getProfile, { token: user.token })).toMatchObject({ body: { emailVerified: false } })
    expect(await verify(tokenIn(mails[0]))).toMatchObject({ status: 204, text: '' })
    expect(await call(getProfile, { token: user.token })).toMatchObject({ body: { emailVerified: true } })
    expect(await verify(tokenIn(mails[0]))).toMatchObject({ status: 204, text: '' })
    expect(await verify(tokenIn(mails[0]), 25)).toMatchObject(INVALID_TOKEN)
  })

  it('is mailed by the registration itself', async () => {
    const body = { email: 'verified-by-itself@example.com', password: PASSWORD, name: 'Awa' }
    const { answer, mails } = await mailedBy(register, { body })
    expect(mails).toMatchObject([{ to: body.email, subject: 'Confirm your e-mail address' }])
    expect(await verify(tokenIn(mails[0]))).toMatchObject({ status: 204 })
    const { accessToken } = answer.body
    expect(await call(getProfile, { token: accessToken })).toMatchObject({ body: { emailVerified: true } })
  })

  it('is refused beyond five an hour for one e-mail, the one of the registration counted', async () => {
    const { token } = await aUser()
    const ask = async () => (await mailedBy(requestVerification, { token })).answer
    for (let asked = 0; asked < 4; asked += 1) expect(await ask()).toMatchObject({ status: 202 })
    const refused = await ask()
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  })

  it('is refused beyond ten an hour of one network', async () => {
    const users = await Promise.all(Array.from({ length: 11 }, () => aUser()))
    const statuses = []
    for (const { token } of users) {
      statuses.push((await mailedBy(requestVerification, { token, ipAddress: '192.0.2.78' })).answer.status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 202), 429])
  })

  it('is not mailed where the address is proven already', async () => {
    const { token } = await aUser()
    await verify(await linkFor(token))
    const { answer, mails } = await mailedBy(requestVerification, { token })
    expect(answer).toMatchObject({ status: 202 })
    expect(mails).toEqual([])
  })

  it('works for 24 hours', async () => {
    const link = await linkFor((await aUser()).token)
    expect(await verify(link, 25)).toMatchObject(INVALID_TOKEN)
    expect(await verify(link, 23)).toMatchObject({ status: 204 })
  })

  it('is one of several, each good', async () => {
    const { token } = await aUser()
    const links = [await linkFor(token), await linkFor(token)]
    const answers = await Promise.all(links.map((link) => verify(link)))
    expect(answers.map(({ status }) => status)).toEqual([204, 204])
  })

  it('is for nobody without a credential, and nothing else passes for one', async () => {
    expect(await call(requestVerification)).toMatchObject({ status: 401 })
    expect(await verify('x')).toMatchObject(INVALID_TOKEN)
    expect(await verify(undefined)).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })
})
