import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '#test/support/browser'
import { type StartedStack, startedStack } from '#test/support/started-stack'
import {
  clientOf,
  eventually,
  type Person,
  payment,
  person,
  waitingAgent,
  waitingListing,
} from './marketplace.ts'
import { findingsOn, keepPicture, type Readers, readersOf, sendHeld } from './reader.ts'

const PORT = 13_200 + (process.pid % 4_000)
/** Above this an administrator's payouts of a day need another's approval. */
const LIMIT = 200_000

let stack: StartedStack
let browser: Browser
let readers: Readers
let send: ReturnType<typeof clientOf>
let ann: string
let agent: Person
let customer: Person
let listing: string

const tokenOf = async (options: string): Promise<string> =>
  (await stack.run(`npm run --silent token -- ${options}`)).trim()

beforeAll(async () => {
  const variables = { APPROVAL_LIMITS: JSON.stringify({ XOF: LIMIT }) }
  ;[stack, browser] = await Promise.all([startedStack(PORT, { demoData: false, variables }), openBrowser()])
  readers = readersOf(browser, PORT)
  send = clientOf(stack.url)
  ann = await tokenOf('--sub ann')
  ;[agent, customer] = await Promise.all([person(send, 'Moussa Traoré'), person(send, 'Kofi Mensah')])
  await waitingAgent(send, agent)
  await send('PATCH', '/auth/kyc', { token: ann, body: { userId: agent.id, kycStatus: 'VERIFIED' } })
  listing = await waitingListing(send, agent, 'Villa with a garden')
  await send('PATCH', `/listings/${listing}/moderate`, { token: ann, body: { status: 'PUBLISHED' } })
  await send('PUT', '/auth/profile/payout-account', {
    token: agent.token,
    body: {
      method: 'mobile_money',
      country: 'CI',
      currency: 'XOF',
      holder: 'Moussa Traoré',
      phone: '+2250700004021',
      network: 'mtn',
    },
  })
  for (let paid = 0; paid < 4; paid++) await payment(send, customer, listing)
  await eventually(async () => ((await available()) === 600_000 ? true : undefined))
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** What can be paid out to the agent, by the agent's own balance. */
async function available(): Promise<number> {
  const { items } = (await send('GET', '/auth/profile/balance', { token: agent.token })) as unknown as {
    items: { available: number }[]
  }
  return items[0]?.available ?? 0
}

type Payout = { id: string; status: string; amount: number; reference: string | null; approvedBy: string }

const payoutOf = async (id: string): Promise<Payout> =>
  (await send('GET', `/admin/payouts/${id}`, { token: ann })) as unknown as Payout

/** Makes a payout by hand, as ann. */
const madePayout = async (amount: number): Promise<Payout> =>
  (await send('POST', '/admin/payouts', {
    token: ann,
    headers: { 'idempotency-key': randomUUID() },
    body: { agentId: agent.id, currency: 'XOF', amount, method: 'by_hand' },
  })) as unknown as Payout

/** A page of somebody whose sign-in gives this token, as the OpenID provider of an operator would. */
async function signedInWith(token: string): Promise<Page> {
  const page = await readers.signedIn('ann', {}, false)
  await page.route('**/token', (route) =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: { access_token: token, token_type: 'Bearer' },
    }),
  )
  await page.reload()
  await page.locator('#content').waitFor()
  return page
}

describe('payouts', () => {
  it('an agent is paid out from their balance, and the payout is settled by keys', async () => {
    const page = await readers.signedIn('ann')
    await readers.open(page, `ledger/${agent.id}`)
    await page.getByRole('row', { name: /XOF.*600,000/ }).waitFor()
    const form = page.getByRole('form', { name: 'Pay out' })
    await form.getByLabel('Sum (XOF)').fill('100 000')
    await form.getByLabel('Paid by').selectOption('By hand')
    await form.getByRole('button', { name: 'Pay out' }).click()
    await sendHeld(page, 'Pay out XOF 100,000')
    await page.getByRole('table', { name: 'Payouts' }).getByRole('link', { name: '100,000' }).click()
    await page.getByRole('heading', { name: '100,000' }).waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    expect(await available()).toBe(500_000)
    await page.locator('main h1').click()
    await page.keyboard.press('p')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT')
    await page.keyboard.type('Transfer 7')
    await page.keyboard.press('Enter')
    await sendHeld(page, '100,000: paid')
    expect(await payoutOf(id)).toMatchObject({ status: 'PAID', reference: 'Transfer 7' })
    await page.context().close()
  })

  it('one above the limit is approved by another administrator only, and what did not arrive comes back', async () => {
    const { id, status } = await madePayout(LIMIT)
    expect(status).toBe('AWAITING_APPROVAL')
    const [page, other] = await Promise.all([readers.signedIn('ann'), readers.signedIn('bob', {}, false)])
    await readers.open(page, `payouts/${id}`)
    await page.getByText('You made this payout').waitFor()
    expect(await page.getByRole('option', { name: 'Approve' }).count()).toBe(0)
    await readers.open(other, 'home')
    await other.getByRole('link', { name: /^Payouts to approve or pay\s*1/ }).click()
    await other.getByRole('link', { name: '200,000' }).click()
    await other.getByRole('heading', { name: '200,000' }).waitFor()
    await other.getByLabel('What', { exact: true }).waitFor()
    await other.keyboard.press('a')
    await expect.poll(() => other.evaluate('document.activeElement.textContent')).toBe('Approve')
    await other.keyboard.press('Enter')
    await sendHeld(other, '200,000: approved')
    expect(await payoutOf(id)).toMatchObject({ status: 'PENDING', approvedBy: 'bob' })
    const before = await available()
    await readers.open(other, `payouts/${id}`)
    await other.getByLabel('What', { exact: true }).selectOption({ index: 1 })
    await other.getByLabel('Note').fill('The account was closed')
    await other.getByRole('button', { name: 'It did not arrive' }).click()
    await sendHeld(other, '200,000: failed, the money is back')
    expect(await payoutOf(id)).toMatchObject({ status: 'FAILED' })
    expect(await available()).toBe(before + LIMIT)
    await Promise.all([page.context().close(), other.context().close()])
  })

  it('a payout that has not gone out is cancelled', async () => {
    const { id } = await madePayout(50_000)
    const page = await readers.signedIn('ann')
    await readers.open(page, `payouts/${id}`)
    await page.getByLabel('What', { exact: true }).selectOption({ label: 'Cancel it (x)' })
    await page.getByRole('button', { name: 'Cancel it' }).click()
    await sendHeld(page, '50,000: cancelled')
    expect(await payoutOf(id)).toMatchObject({ status: 'CANCELLED' })
    await page.context().close()
  })

  it('a payout of more than is available is refused in words, and what was typed stays', async () => {
    const page = await readers.signedIn('ann', {}, false)
    await readers.open(page, `ledger/${agent.id}`)
    const form = page.getByRole('form', { name: 'Pay out' })
    await form.getByLabel('Sum (XOF)').fill('600001')
    await form.getByRole('button', { name: 'Pay out' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await form.getByText('more than is available').waitFor()
    expect(await form.getByLabel('Sum (XOF)').inputValue()).toBe('600001')
    await page.context().close()
  })

  it('an old sign-in is renewed where it is asked for, and Enter goes on with what was typed', async () => {
    const { id } = await madePayout(10_000)
    const page = await signedInWith(await tokenOf('--sub ann --auth-age 90000'))
    await readers.open(page, `payouts/${id}`)
    await page.getByLabel('Bank’s reference').fill('Transfer 8')
    await page.keyboard.press('Enter')
    await page.getByText('asks for a recent sign-in').waitFor()
    expect(await page.getByRole('button', { name: 'Send now' }).count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Sign in again' }).click()
    // The provider still knows ann, and asks all the same.
    await page.getByLabel('Name').fill('ann')
    await page.getByRole('button').click()
    await page.getByText('What you typed is here').waitFor()
    expect(page.url()).toContain(id)
    expect(await page.getByLabel('Bank’s reference').inputValue()).toBe('Transfer 8')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('It was paid')
    await page.keyboard.press('Enter')
    await sendHeld(page, '10,000: paid')
    expect(await payoutOf(id)).toMatchObject({ status: 'PAID', reference: 'Transfer 8' })
    await page.context().close()
  })

  it('everyone is paid out at once, and again nobody is left', async () => {
    const page = await readers.signedIn('ann')
    await readers.open(page, 'payouts')
    await page.getByRole('table').waitFor()
    await page.keyboard.press('r')
    const form = page.getByRole('form', { name: 'Pay everyone out' })
    for (const said of [
      'Payouts made: 1. Agents passed over: 0.',
      'Payouts made: 0. Agents passed over: 0.',
    ]) {
      if (!(await form.isVisible())) await page.getByRole('button', { name: 'Pay everyone out' }).click()
      await form.getByLabel('Currency').selectOption('XOF')
      await form.getByLabel('From a sum of').fill('1')
      await form.getByRole('button', { name: 'Pay everyone out' }).click()
      await page.getByRole('button', { name: 'Send now' }).click()
      await page.getByText(said).waitFor()
    }
    expect(await available()).toBe(0)
    await page.context().close()
  })
})

describe('the ledger', () => {
  it('shows a trial balance whose debits are its credits, and leads from a payment to its agent’s balance', async () => {
    const page = await readers.signedIn('ann')
    await readers.open(page, 'ledger')
    const balance = page.getByRole('table', { name: 'Trial balance: XOF' })
    await balance.waitFor()
    const sums = await balance.locator('tfoot td').allInnerTexts()
    expect(sums).toEqual(['600,000', '600,000'])
    // Every account is in words.
    expect(await balance.innerText()).not.toMatch(/\w:\w|_/)
    await balance.getByRole('link', { name: 'Paid out by hand' }).waitFor()
    await balance.getByRole('link', { name: 'At sandbox' }).click()
    await expect
      .poll(() => page.getByRole('table', { name: 'Postings' }).locator('[data-row]').count(), {
        timeout: 15_000,
      })
      .toBe(4)
    await page.getByRole('table', { name: 'Postings' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: '150,000' }).waitFor()
    await page.getByRole('link', { name: 'Moussa Traoré Homes' }).first().click()
    await page.getByRole('table', { name: 'Balances' }).waitFor()
    expect(page.url()).toContain(`ledger/${agent.id}`)
    await page.context().close()
  })

  it('is downloaded as one CSV that adds up, in halves where the span is too much for one answer', async () => {
    const page = await readers.signedIn('ann')
    const asked: string[] = []
    await page.route('**/admin/ledger?*', (route) => {
      const { searchParams } = new URL(route.request().url())
      if (route.request().headers()['accept'] !== 'text/csv') return route.continue()
      asked.push(`${searchParams.get('from')} ${searchParams.get('to')}`)
      // What is beyond 5 MB is answered so.
      return asked.length === 1
        ? route.fulfill({ status: 303, headers: { location: '/elsewhere' } })
        : route.continue()
    })
    await readers.open(page, `ledger?from=2026-01-01`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ])
    const lines = (await readFile(await download.path(), 'utf8')).trim().split(/\r?\n/)
    expect(lines[0]).toMatch(/^id,at,account,currency,amount,/)
    expect(lines.filter((line) => line.startsWith('id,'))).toHaveLength(1)
    const amounts = lines.slice(1).map((line) => Number(line.split(',')[4]))
    expect(amounts.length).toBeGreaterThan(8)
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(0)
    expect(asked.length).toBeGreaterThan(2)
    await page.context().close()
  })

  it('is corrected by two administrators above the limit of one', async () => {
    const [page, other] = await Promise.all([
      readers.signedIn('ann', {}, false),
      readers.signedIn('bob', {}, false),
    ])
    await readers.open(page, `ledger/${agent.id}`)
    const form = page.getByRole('form', { name: 'Correct the balance' })
    await form.getByLabel('Currency').selectOption('XOF')
    await form.getByLabel('Sum').fill('250000')
    await form.getByLabel('Note').fill('Goodwill')
    await form.getByRole('button', { name: 'Correct' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    const link = form.getByRole('link', { name: 'another administrator' })
    const address = (await link.getAttribute('href')) ?? ''
    await readers.open(other, address.replace('#/', ''))
    const approval = other.getByRole('form', { name: 'Correct the balance' })
    await expect.poll(() => approval.getByLabel('Sum').inputValue()).toBe('250000')
    await approval.getByRole('button', { name: 'Correct' }).click()
    await sendHeld(other, 'Correct the balance XOF 250,000')
    expect(await available()).toBe(250_000)
    await Promise.all([page.context().close(), other.context().close()])
  })
})

describe('roles', () => {
  it('an auditor sees every page and can do nothing on it', async () => {
    const { id } = await madePayout(1_000)
    const page = await signedInWith(await tokenOf('--sub ada --group auditor'))
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Journal' }).waitFor()
    for (const hash of [`payouts/${id}`, `ledger/${agent.id}`, `people/${agent.id}`, `listings/${listing}`]) {
      await readers.open(page, hash)
      await expect.poll(() => page.locator('.skeleton').count(), { timeout: 15_000 }).toBe(0)
      expect(await page.locator('main .section').count(), hash).toBeGreaterThan(0)
      expect(await page.locator('main form').count(), hash).toBe(0)
    }
    await page.context().close()
  })

  it('somebody with one role sees its pages alone, and is told what another page needs', async () => {
    const page = await signedInWith(await tokenOf('--sub ada --group moderation'))
    await readers.open(page, 'home')
    const menu = page.getByRole('navigation', { name: 'Menu' }).getByRole('link')
    expect(await menu.allInnerTexts()).toEqual(['Home', 'Listings', 'Reports', 'Enquiries'])
    await page.getByRole('link', { name: /^Reports\s*\d/ }).waitFor()
    await readers.open(page, 'payouts')
    await page.getByText('needs the role “Payments”').waitFor()
    await readers.open(page, `listings/${listing}`)
    await page.getByRole('heading', { name: 'The agent' }).waitFor()
    await expect.poll(() => page.locator('.skeleton').count(), { timeout: 15_000 }).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Suspend' }).count()).toBe(1)
    await page.context().close()
  })

  it('a person’s page leads only to pages that the reader’s role opens', async () => {
    const page = await signedInWith(await tokenOf('--sub ada --group support'))
    await readers.open(page, `people/${agent.id}`)
    await page.getByRole('main').getByText('Verified', { exact: true }).first().waitFor()
    expect(await page.locator(`main a[href="#/identities/${agent.id}"]`).count()).toBe(0)
    await page.context().close()
  })
})

describe('every page of money', () => {
  it.each([
    [1440, 'dark', 'en-GB'],
    [1366, 'light', 'en-GB'],
    [1024, 'light', 'en-GB'],
    [768, 'light', 'fr-FR'],
    [360, 'light', 'fr-FR'],
  ] as const)(
    'can be used by everyone at %i pixels, %s, in %s',
    { timeout: 60_000 },
    async (width, scheme, locale) => {
      const { id } = await madePayout(1_000)
      const page = await readers.signedIn('ann', {
        viewport: { width, height: 800 },
        colorScheme: scheme,
        locale,
      })
      const findings: string[] = []
      for (const hash of [
        'payouts',
        'payouts?waiting=true',
        `payouts/${id}`,
        'ledger',
        `ledger/${agent.id}`,
      ]) {
        await readers.open(page, hash)
        findings.push(...(await findingsOn(page, hash, width === 1440 ? ['light', 'dark'] : [scheme])))
        await keepPicture(page, hash, `${width}-${scheme}`)
      }
      expect(findings).toEqual([])
      await page.context().close()
    },
  )

  it('writes no error to the console and asks no other origin', () => {
    expect(readers.faults).toEqual([])
  })
})
