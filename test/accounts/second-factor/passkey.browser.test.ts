import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { spec as addPasskey } from '#functions/accounts/second-factor/add-passkey'
import { spec as beginPasskey } from '#functions/accounts/second-factor/begin-passkey'
import { spec as beginPasskeySignIn } from '#functions/accounts/second-factor/begin-passkey-sign-in'
import { spec as beginStepUp } from '#functions/accounts/second-factor/begin-step-up'
import { spec as signInWithFactor } from '#functions/accounts/second-factor/sign-in-with-factor'
import { spec as signInWithPasskey } from '#functions/accounts/second-factor/sign-in-with-passkey'
import { spec as stepUp } from '#functions/accounts/second-factor/step-up'
import { addAuthenticator, openBrowser } from '#test/support/browser'
import { call } from '#test/support/call'
import { firstStep, steppedUp } from '#test/support/factors'
import { aUser } from '#test/support/given'

// A real Chromium with its virtual authenticator, on a page of this machine: what it makes and signs is what passkeys are.

let browser: Browser
let page: Page
let server: Server

beforeAll(async () => {
  process.env['WEBAUTHN_RP_ID'] = 'localhost'
  process.env['WEBAUTHN_ORIGINS'] = 'http://localhost:*'
  server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Passkeys</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  browser = await openBrowser()
  page = await browser.newPage()
  await addAuthenticator(page)
  await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
}, 60_000)

afterAll(async () => {
  await browser.close()
  server.close()
})

/** What the page's own script does with options: it knows nothing of this service. */
const inPage = (method: 'create' | 'get', options: unknown): Promise<unknown> =>
  page.evaluate(
    `(async () => {
      const options = ${JSON.stringify(options)}
      const publicKey = ${method === 'create'}
        ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
        : PublicKeyCredential.parseRequestOptionsFromJSON(options)
      return (await navigator.credentials.${method}({ publicKey })).toJSON()
    })()`,
  )

describe('a passkey of a real browser', () => {
  it('is made, signs in alone, proves the second step and steps up', { timeout: 60_000 }, async () => {
    const user = await aUser()
    const token = await steppedUp(user)
    const begun = (await call(beginPasskey, { token })).body
    const credential = await inPage('create', begun.options)
    const added = await call(addPasskey, {
      token,
      body: { challenge: begun.challenge, name: 'Chromium', credential },
    })
    expect(added).toMatchObject({ status: 201, body: { passkey: { name: 'Chromium' } } })

    const asked = (await call(beginPasskeySignIn)).body
    const alone = { challenge: asked.challenge, credential: await inPage('get', asked.options) }
    expect(await call(signInWithPasskey, { body: alone })).toMatchObject({
      status: 200,
      body: { user: { id: user.id } },
    })
    expect((await call(signInWithPasskey, { body: alone })).status).toBe(401)

    const { challenge, passkeyOptions } = await firstStep(user)
    const second = { challenge, credential: await inPage('get', passkeyOptions) }
    expect((await call(signInWithFactor, { body: second })).status).toBe(200)

    const options = (await call(beginStepUp, { token })).body
    const proof = { challenge: options.challenge, credential: await inPage('get', options.passkeyOptions) }
    expect((await call(stepUp, { token, body: proof })).status).toBe(200)
  })
})
