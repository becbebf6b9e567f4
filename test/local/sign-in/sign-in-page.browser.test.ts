import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAuthenticator, openBrowser } from '#test/support/browser'
import { codeOf } from '#test/support/factors'
import { type StartedStack, startedStack } from '#test/support/started-stack'

const PORT = 13_300 + (process.pid % 4_000)
const PASSWORD = 'a quiet harbour at dusk'

let stack: StartedStack
let browser: Browser
let page: Page
const faults: string[] = []

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startedStack(PORT, { demoData: false }), openBrowser()])
  page = await browser.newPage()
  page.on('pageerror', ({ message }) => faults.push(message))
  await addAuthenticator(page)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const said = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor()
const listed = (text: string) => page.getByRole('listitem').getByText(text, { exact: true }).waitFor()

async function signOut(): Promise<void> {
  await press('Sign out')
  await said('Signed out')
}

/** Gives the password, and waits for the second step. */
async function givePassword(): Promise<void> {
  await page.getByLabel('Password').fill(PASSWORD)
  await press('Sign in')
  await page.getByText('Prove that it is you: totp, passkey, recovery_code').waitFor()
}

async function giveCode(code: string): Promise<void> {
  await page.getByLabel('Six digits or a recovery code').fill(code)
  await press('Continue')
}

describe('the page of the local stack', () => {
  it('adds a passkey and an authenticator app, and signs in by each way', { timeout: 120_000 }, async () => {
    await page.goto(`${stack.url}/local/sign-in`)
    await page.getByLabel('E-mail').fill('both@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await press('Register')
    await said('Registered')

    await press('Add a passkey')
    await page.getByText('Prove that it is you: password').waitFor()
    await page.locator('#proof').getByLabel('Password').fill(PASSWORD)
    await press('Continue')
    await said('The passkey was added')
    await listed('Passkey: This browser')
    await listed('Recovery codes left: 10')
    const [recoveryCode = ''] = ((await page.locator('#shown-once').textContent()) ?? '').split('\n')

    await press('Set up an authenticator app')
    await page.getByText('Prove that it is you: passkey, recovery_code').waitFor()
    await press('Use a passkey')
    await said('One more step')
    const secret = (await page.locator('#secret').textContent()) ?? ''
    await page.getByLabel('Six digits', { exact: true }).fill(codeOf(secret))
    await press('Confirm')
    await said('The app was confirmed')
    await listed('Authenticator app')
    await signOut()

    await givePassword()
    await giveCode('000000')
    await page
      .getByRole('status')
      .getByText(/second factor/i)
      .waitFor()
    await givePassword()
    await giveCode(codeOf(secret, 30))
    await said('Signed in')
    await signOut()

    await givePassword()
    await press('Use a passkey')
    await said('Signed in')
    await signOut()

    await press('Sign in with a passkey')
    await said('Signed in')
    await signOut()

    await givePassword()
    await giveCode(recoveryCode)
    await said('Signed in')
    await listed('Recovery codes left: 9')
    expect(faults).toEqual([])
  })

  it('has no other files', async () => {
    expect((await fetch(`${stack.url}/local/sign-in/other.js`)).status).toBe(404)
  })
})
