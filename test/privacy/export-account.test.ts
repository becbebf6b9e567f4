import { describe, expect, it } from 'vitest'
import { spec as confirmChange } from '#functions/accounts/addresses/confirm-email-change'
import { spec as requestChange } from '#functions/accounts/addresses/request-email-change'
import { spec as makeApiKey } from '#functions/accounts/api-keys/make-api-key'
import { spec as beginPasskeySignIn } from '#functions/accounts/second-factor/begin-passkey-sign-in'
import { spec as beginTotp } from '#functions/accounts/second-factor/begin-totp'
import { spec as confirmTotp } from '#functions/accounts/second-factor/confirm-totp'
import { spec as signInWithPasskey } from '#functions/accounts/second-factor/sign-in-with-passkey'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { spec as login } from '#functions/accounts/sessions/login'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as getKycReview } from '#functions/kyc/get-kyc-review'
import { spec as setKycStatus } from '#functions/kyc/set-kyc-status'
import { spec as moderateListing } from '#functions/listings/moderate-listing'
import { spec as createPayment } from '#functions/payments/create-payment'
import { spec as exportAccount } from '#functions/privacy/export-account'
import { INLINE_MAX_BYTES } from '#lib/privacy/export-account'
import { softPasskey } from '#test/support/authenticator'
import { call } from '#test/support/call'
import { handIn } from '#test/support/documents'
import { codeOf, steppedUp, withPasskey } from '#test/support/factors'
import { anAgent, aProvenUser, aUser, aVerifiedAgent, consoleToken, PASSWORD } from '#test/support/given'
import { aListing } from '#test/support/listings'
import { mailedBy, tokenIn } from '#test/support/mail'
import { aPaidAgent, paidOut } from '#test/support/payouts'
import { testProviders } from '#test/support/providers'

describe('GET /auth/export', () => {
  it('is answered three times a day, and refused the fourth time', async () => {
    const { token } = await aUser()
    const ask = () => call(exportAccount, { token })
    const statuses = [await ask(), await ask(), await ask(), await ask()].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('answers everything held about the caller', async () => {
    const agent = await aVerifiedAgent()
    const admin = await consoleToken({ sub: 'ama@platform' })
    const document = (await handIn(agent.token)).body
    await call(getKycReview, { token: admin, params: { userId: agent.id } })
    const decision = {
      userId: agent.id,
      kycStatus: 'REJECTED',
      message: 'Blurred',
      note: 'Secretly doubtful',
    }
    await call(setKycStatus, { token: admin, body: decision })
    await call(updateUser, {
      token: admin,
      params: { id: agent.id },
      body: { status: 'BANNED', reason: 'Why' },
    })
    await call(updateUser, { token: admin, params: { id: agent.id }, body: { status: 'ACTIVE' } })
    const listing = await aListing(agent.id)
    const suspension = { status: 'SUSPENDED', message: 'Fine', note: 'Secretly doubtful' }
    await call(moderateListing, { token: admin, params: { id: listing }, body: suspension })
    const { accessToken: token } = (await call(login, { body: { email: agent.email, password: PASSWORD } }))
      .body
    const payment = await call(createPayment, {
      token,
      body: {
        provider: 'standard-webhooks',
        amount: 1000,
        currency: 'EUR',
        purpose: 'fee',
        metadata: { a: 'b' },
      },
      deps: { providers: testProviders() },
    })
    const { status, body, text, headers } = await call(exportAccount, { token })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        exportedAt: expect.stringMatching(/Z$/),
        user: expect.objectContaining({ id: agent.id, email: agent.email, name: 'Awa Koné' }),
        agent: expect.objectContaining({ displayName: 'Awa Immobilier' }),
        formerAddresses: [],
        secondFactor: { totp: null, passkeys: [], recoveryCodesLeft: 0, removesAt: null },
        apiKeys: [],
        sessions: [expect.objectContaining({ id: expect.stringMatching(/^ses_/), ipAddress: '203.0.113.7' })],
        kyc: expect.objectContaining({ kycStatus: 'REJECTED', message: 'Blurred', documents: [document] }),
        kycDecisions: [
          expect.objectContaining({ status: 'REJECTED', previousStatus: 'VERIFIED', message: 'Blurred' }),
          expect.objectContaining({ status: 'VERIFIED', previousStatus: 'UNVERIFIED' }),
        ],
        kycDocumentLinks: [expect.objectContaining({ documentIds: [(document as { id: string }).id] })],
        statusDecisions: [
          expect.objectContaining({ to: 'BANNED', reason: 'Why' }),
          expect.objectContaining({ to: 'ACTIVE' }),
        ],
        listingLimits: null,
        listings: [
          expect.objectContaining({
            id: listing,
            message: 'Fine',
            history: [expect.objectContaining({ to: 'SUSPENDED', by: 'administrator', message: 'Fine' })],
          }),
        ],
        enquiries: [],
        reports: [],
        notifications: {
          mail: { listings: true, enquiries: true, payments: true, favourites: true, searches: true },
          items: [],
        },
        favourites: [],
        savedSearches: [],
        paymentRequests: [],
        payoutAccount: null,
        payouts: [],
        payments: [expect.objectContaining({ id: payment.body.id, metadata: { a: 'b' } })],
      },
    })
    expect(headers['cache-control']).toBe('no-store')
    for (const secret of ['argon2', 'Hash', 'Secretly', 'ama@platform', '"note"', 'registration', '"pk"']) {
      expect(text).not.toContain(secret)
    }
  })

  it('names second factors and API keys, and holds no secret of them', async () => {
    const agent = await anAgent()
    const token = await steppedUp(agent)
    const newKey = { name: 'Our system', scopes: ['listings:read'] }
    const made = await call(makeApiKey, { token, body: newKey })
    const { passkey, recoveryCodes, id } = await withPasskey(agent, softPasskey(), token)
    const { challenge, options } = (await call(beginPasskeySignIn)).body
    const alone = { challenge, credential: passkey.get(options) }
    const { accessToken } = (await call(signInWithPasskey, { body: alone })).body
    const { secret } = (await call(beginTotp, { token: accessToken })).body
    const confirmed = await call(confirmTotp, { token: accessToken, body: { code: codeOf(secret) } })
    expect(confirmed.status).toBe(200)

    const again = await call(stepUp, { token: accessToken, body: { code: recoveryCodes[0] } })
    const { status, body, text } = await call(exportAccount, { token: again.body.accessToken })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        secondFactor: {
          totp: { createdAt: expect.any(String) },
          passkeys: [{ id, name: 'My phone' }],
          recoveryCodesLeft: 9,
        },
        apiKeys: [made.body.apiKey],
      },
    })
    for (const each of [secret, passkey.id, made.body.key, ...recoveryCodes]) expect(text).not.toContain(each)
    expect(text).not.toMatch(/sealed|publicKey|credentialId|hash/i)
  })

  it('names a former address that can be brought back', async () => {
    const person = await aProvenUser()
    const newEmail = `moved-${person.email}`
    const change = { token: person.token, body: { newEmail, password: PASSWORD } }
    const { mails } = await mailedBy(requestChange, change)
    const link = tokenIn(mails.find(({ to }) => to === newEmail))
    const confirmed = await mailedBy(confirmChange, { body: { token: link } })
    expect(confirmed.answer.status).toBe(204)
    const { body } = await call(exportAccount, { token: person.token })
    expect(body.formerAddresses).toEqual([{ email: person.email, changedAt: expect.any(String) }])
  })

  it('holds an agent’s payout account by its last four characters, and the payouts without who made them', async () => {
    const agent = await aPaidAgent(12_345)
    await paidOut(agent)
    const { status, body, text } = await call(exportAccount, { token: agent.token })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        payoutAccount: { method: 'bank', country: 'FR', currency: 'EUR', holder: 'Awa Koné', last4: '2606' },
        payouts: [
          { amount: 12_345, currency: 'EUR', status: 'PAID', account: '2606', reference: 'Transfer 7' },
        ],
      },
    })
    for (const secret of ['FR1420041010', 'sealed', 'createdBy', '"admin"'])
      expect(text).not.toContain(secret)
  })

  it('answers a private link once the document is too large for one answer', async () => {
    const person = await aUser()
    const description = 'x'.repeat(5000)
    const count = Math.ceil(INLINE_MAX_BYTES / description.length)
    await Promise.all(Array.from({ length: count }, () => aListing(person.id, { description })))
    const { status, headers, text } = await call(exportAccount, { token: person.token })
    expect({ status, text }).toEqual({ status: 303, text: '' })
    const link = new URL(String(headers['location']))
    expect(link.searchParams.get('X-Amz-Expires')).toBe('300')
    const exported = (await (await fetch(link)).json()) as { user: { id: string }; listings: unknown[] }
    expect(exported.user.id).toBe(person.id)
    expect(exported.listings).toHaveLength(count)
    expect((await fetch(`${link.origin}${link.pathname}`)).status).toBe(403)
  })

  it('is for users: a console token holds nothing to export', async () => {
    expect(await call(exportAccount, { token: await consoleToken() })).toMatchObject({ status: 403 })
  })
})
