import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localKeys } from '#lib/local/keys'
import { openBrowser } from '#test/support/browser'
import { codeOf } from '#test/support/factors'
import { type StartedStack, startedStack } from '#test/support/started-stack'
import {
  addPicture,
  clientOf,
  eventually,
  HOSTILE,
  openPayment,
  PASSWORD,
  type Person,
  payment,
  person,
  unmatchedCallback,
  waitingAgent,
  waitingListing,
} from './marketplace.ts'
import { findingsOn, keepPicture, type Readers, readersOf, sendHeld } from './reader.ts'

const PORT = 9_100 + (process.pid % 4_000)

let stack: StartedStack
let browser: Browser
let signedIn: Readers['signedIn']
let open: Readers['open']
let faults: Readers['faults']
let send: ReturnType<typeof clientOf>
let ann: string
let people: { waiting: Person; hostile: Person; agent: Person; customer: Person }
let ids: {
  live: string
  waiting: string
  enquiry: string
  paid: string
  twice: string
  disputed: string
  webhook: string
  callback: string
}

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startedStack(PORT, { demoData: false }), openBrowser()])
  ;({ signedIn, open, faults } = readersOf(browser, PORT))
  send = clientOf(stack.url)
  ann = (await stack.run('npm run --silent token -- --sub ann')).trim()
  const [waiting, hostile, agent, customer] = await Promise.all([
    person(send, 'Fatou Diallo', 'fr'),
    person(send, HOSTILE),
    person(send, 'Moussa Traoré'),
    person(send, 'Kofi Mensah'),
  ])
  people = { waiting, hostile, agent, customer }
  await Promise.all([waiting, hostile, agent].map((one) => waitingAgent(send, one)))
  const decision = { userId: agent.id, kycStatus: 'VERIFIED', note: HOSTILE }
  await send('PATCH', '/auth/kyc', { token: ann, body: decision })
  const live = await waitingListing(send, agent, 'Villa with a garden')
  await send('PATCH', `/listings/${live}/moderate`, { token: ann, body: { status: 'PUBLISHED' } })
  await addPicture(send, agent.token, live, 'flat.jpg')
  await send('PATCH', `/listings/${live}`, { token: agent.token, body: { title: 'Villa with a pool' } })
  const waitingId = await waitingListing(send, agent, HOSTILE)
  const report = { reason: 'wrong_price', text: HOSTILE }
  await send('POST', `/listings/${live}/reports`, { token: customer.token, body: report })
  const { id: enquiry } = (await send('POST', `/listings/${live}/enquiries`, {
    token: customer.token,
    body: { message: HOSTILE },
  })) as unknown as { id: string }
  await send('POST', `/enquiries/${enquiry}/reports`, { token: customer.token, body: { reason: 'spam' } })
  const webhook = (await send('POST', '/admin/webhooks', {
    token: ann,
    body: { url: 'http://localhost:9/', types: ['user.banned'], description: HOSTILE },
  })) as unknown as { id: string }
  const [paid, twice, disputed] = [
    await payment(send, customer, live),
    await payment(send, customer, live, ['pay-again']),
    await payment(send, customer, live, ['dispute']),
  ]
  await unmatchedCallback(stack.url, (await localKeys(stack.directory)).sandboxWebhookSecret, 77_000)
  const callback = await eventually(async () => {
    const list = await send('GET', '/admin/payments/callbacks', { token: ann })
    return (list as unknown as { items: { id: string }[] }).items[0]?.id
  })
  ids = { live, waiting: waitingId, enquiry, paid, twice, disputed, webhook: webhook.id, callback }
}, 120_000)

afterAll(async () => {
  await browser.close()
  await stack.stop()
})

describe('signing in', () => {
  it('keeps tokens in memory only, and a reload signs in again without typing and returns to the same page', async () => {
    const page = await signedIn('ann')
    await open(page, 'journal')
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(kept).not.toMatch(/eyJ|refresh/)
    await page.reload()
    await page.getByRole('heading', { name: 'Journal' }).waitFor()
    expect(page.url()).toBe(`${stack.url}/console#/journal`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    // The way back from the provider, where the session ends too.
    await page.waitForURL(`${stack.url}/console`)
    await page.getByText('You are signed out.').waitFor()
    await page.reload()
    await page.getByText('You are signed out.').waitFor()
    await page.context().close()
  })

  it('tells somebody outside the group so', async () => {
    const page = await signedIn('guest-bob', {}, false)
    await page.getByText('not an administrator').waitFor()
    await page.context().close()
  })

  it('renews a token that has run out, unseen, and asks again', async () => {
    const page = await signedIn('ann', {}, false)
    let refused = 0
    await page.route('**/admin/actions*', (route) =>
      refused++ === 0 ? route.fulfill({ status: 401 }) : route.continue(),
    )
    await open(page, 'journal')
    await page.getByRole('table').waitFor()
    expect(refused).toBeGreaterThan(1)
    await page.context().close()
  })
})

describe('signing out', () => {
  it('is not undone by a renewal of the token that was under way', async () => {
    const page = await signedIn('ann', {}, false)
    const held = { renewal: Promise.withResolvers<void>(), revocation: Promise.withResolvers<void>() }
    const isRenewing = page.waitForRequest((request) => isRenewal(request.postData()))
    await page.route('**/*', async (route) => {
      const sent = route.request().postData()
      if (isRenewal(sent)) await held.renewal.promise
      else if (/^token=/.test(sent ?? '')) await held.revocation.promise
      return route.fallback()
    })
    await page.route('**/admin/actions*', (route) => route.fulfill({ status: 401 }), { times: 1 })
    await open(page, 'journal')
    await isRenewing
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    const isRenewed = page.waitForResponse((response) => isRenewal(response.request().postData()))
    held.renewal.resolve()
    await (await isRenewed).finished()
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    expect(await page.getByText('You are signed out.').count()).toBe(1)
    held.revocation.resolve()
    await page.context().close()
  })
})

const isRenewal = (sent: string | null): boolean => sent?.includes('grant_type=refresh_token') ?? false

describe('deciding', () => {
  it('verifies a person by keys, with a message that survives a reload', async () => {
    const page = await signedIn('ann')
    await open(page, `identities/${people.waiting.id}`)
    await page.getByLabel('Message').fill('Bienvenue')
    await page.reload()
    await page.getByText('Passport').waitFor()
    expect(await page.getByLabel('Message').inputValue()).toBe('Bienvenue')
    await page.locator('main h1').click()
    await page.keyboard.press('v')
    await page.keyboard.press('Enter')
    await sendHeld(page, 'Fatou Diallo: Verified')
    const kyc = (await send('GET', '/auth/kyc', { token: people.waiting.token })) as unknown
    expect(kyc).toMatchObject({ kycStatus: 'VERIFIED', message: 'Bienvenue' })
    await page.context().close()
  })

  it('shows what was typed before a release that asks for more', async () => {
    const page = await signedIn('ann')
    const { id } = people.hostile
    await page.evaluate(
      `sessionStorage.setItem('draft:identity ${id}', JSON.stringify({ status: 'REJECTED', note: 'Typed before' }))`,
    )
    await open(page, `identities/${id}`)
    await page.getByLabel('Note').waitFor()
    expect(await page.getByLabel('Note').inputValue()).toBe('Typed before')
    expect(await page.getByLabel('Status').inputValue()).toBe('REJECTED')
    await page.context().close()
  })

  it('writes ready sentences in the person’s language', async () => {
    const page = await signedIn('ann')
    await open(page, `identities/${people.waiting.id}`)
    await page.getByLabel('Status').selectOption('REJECTED')
    await page.getByLabel('The selfie is missing').check()
    await page.getByRole('button', { name: 'Insert sentences' }).click()
    expect(await page.getByLabel('Message').inputValue()).toBe('Le selfie manque.')
    await page.context().close()
  })

  it('shows what another changed meanwhile, and overwrites nothing', async () => {
    const page = await signedIn('ann', {}, false)
    await open(page, `identities/${people.hostile.id}`)
    await page.getByLabel('Note').fill('Looks good')
    const other = { userId: people.hostile.id, kycStatus: 'PENDING' }
    await send('PATCH', '/auth/kyc', { token: ann, body: other })
    await page.getByLabel('Status').selectOption('VERIFIED')
    await page.getByRole('button', { name: 'Decide' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('Nothing was overwritten').waitFor()
    expect(await page.getByRole('row', { name: /Identity.*Unverified.*Pending/ }).count()).toBe(1)
    expect(await page.getByLabel('Note').inputValue()).toBe('Looks good')
    await page.context().close()
  })

  it('asks for the links of documents again when they have run out', async () => {
    const page = await signedIn('ann')
    let asked = 0
    await page.route('**/admin/kyc/usr_*', async (route) => {
      const answer = await route.fetch()
      const review = (await answer.json()) as { documents: object[] }
      const urlExpiresAt = new Date(Date.now() + (asked++ === 0 ? 1_000 : 300_000)).toISOString()
      const documents = review.documents.map((one) => ({ ...one, urlExpiresAt }))
      await route.fulfill({ response: answer, json: { ...review, documents } })
    })
    await open(page, `identities/${people.waiting.id}`)
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(2)
    await page.getByRole('button', { name: 'Zoom in' }).first().click()
    await page.getByRole('button', { name: 'Turn' }).first().click()
    expect(await page.getByRole('img', { name: 'Passport' }).getAttribute('style')).toMatch(
      /width: 150cqh.*90deg/,
    )
    await page.context().close()
  })

  it('asks for links that could not be renewed, or that a wrong clock takes for ended, each minute and not each second', async () => {
    const page = await signedIn('ann', {}, false)
    let asked = 0
    let isRefused = false
    let secondsLeft = 60
    await page.route('**/admin/kyc/usr_*', async (route) => {
      const now = (await page.evaluate('Date.now()')) as number
      asked++
      if (isRefused) return route.fulfill({ status: 503 })
      const answer = await route.fetch()
      const review = (await answer.json()) as { documents: object[] }
      const urlExpiresAt = new Date(now + 1_000 * secondsLeft + asked).toISOString()
      const documents = review.documents.map((one) => ({ ...one, urlExpiresAt }))
      await route.fulfill({ response: answer, json: { ...review, documents } })
    })
    // Other values are polled by the same clock: once one is asked for, what is due of the links is asked for too.
    const pass = async (seconds: number) => {
      const isPolled = page.waitForResponse('**/admin/overview')
      await page.clock.fastForward(1_000 * seconds)
      await isPolled
    }
    await page.clock.install()
    await page.reload()
    await page.locator('#content').waitFor()
    await open(page, `identities/${people.waiting.id}`)
    await page.getByText('Passport').first().waitFor()
    isRefused = true
    await pass(70)
    await page.getByRole('main').getByRole('alert').waitFor()
    expect(asked).toBe(2)
    isRefused = false
    secondsLeft = -600
    await pass(65)
    await page.getByRole('main').getByRole('alert').waitFor({ state: 'detached' })
    expect(asked).toBe(3)
    await pass(15)
    await pass(15)
    expect(asked).toBe(3)
    await page.context().close()
  })

  it('shows a revision field by field and publishes it', async () => {
    const page = await signedIn('ann')
    await open(page, 'listings')
    await page.getByRole('link', { name: 'Villa with a garden' }).click()
    await page.getByRole('row', { name: 'Title Villa with a garden Villa with a pool' }).waitFor()
    expect(await page.locator('.differences del').allInnerTexts()).toEqual(['garden'])
    expect(await page.locator('.differences ins').allInnerTexts()).toEqual(['pool'])
    const [before, after] = ['Before', 'After'].map((side) =>
      page.getByRole('region', { name: `Pictures: ${side}` }),
    )
    expect(await before?.getByRole('img').count()).toBe(1)
    expect(await after?.getByRole('img').count()).toBe(2)
    expect(await after?.getByText('Added').count()).toBe(1)
    await page.getByRole('button', { name: 'Publish' }).click()
    await sendHeld(page, 'Villa with a garden: Publish')
    const listing = (await send('GET', `/listings/${ids.live}`)) as unknown
    expect(listing).toMatchObject({ title: 'Villa with a pool' })
    await page.context().close()
  })

  it('bans a person once the ban is sent, and not when it is taken back before', async () => {
    const page = await signedIn('ann')
    const { id } = people.hostile
    await open(page, `people/${id}`)
    await page.getByLabel('Reason').fill('Spam')
    await page.getByRole('button', { name: 'Ban' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone').waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('Spam')
    expect(await send('GET', `/admin/users/${id}`, { token: ann })).toMatchObject({ status: 'ACTIVE' })
    await page.getByRole('button', { name: 'Ban' }).click()
    await sendHeld(page, 'Banned')
    await page.getByRole('button', { name: 'Lift' }).waitFor()
    expect(await send('GET', `/admin/users/${id}`, { token: ann })).toMatchObject({
      status: 'BANNED',
      banReason: 'Spam',
    })
    await page.context().close()
  })

  it('shows and changes what an agent may have, field by field', async () => {
    const page = await signedIn('ann')
    const { id } = people.agent
    await open(page, `people/${id}`)
    const form = page.getByRole('form', { name: 'Limits' })
    await form.getByLabel('Drafts').fill('500')
    await form.getByLabel('Waiting for review').fill('0')
    await form.getByRole('button').click()
    await sendHeld(page, 'The limits are saved')
    const limits = { drafts: 500, inReview: 0, listings: null, files: null }
    expect(await send('GET', `/admin/users/${id}`, { token: ann })).toMatchObject({ listingLimits: limits })
    await page.reload()
    await form.getByLabel('Waiting for review').fill('')
    expect(await form.getByLabel('Drafts').inputValue()).toBe('500')
    await form.getByRole('button').click()
    await sendHeld(page, 'The limits are saved')
    expect(await send('GET', `/admin/users/${id}`, { token: ann })).toMatchObject({
      listingLimits: { ...limits, inReview: null },
    })
    await page.context().close()
  })

  it('switches a webhook off and on again, and shows a new one’s secret once', async () => {
    const page = await signedIn('ann')
    await open(page, `webhooks/${ids.webhook}`)
    await page.getByRole('button', { name: 'Switch off' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Switch off' }).click()
    await sendHeld(page, 'Switched off')
    await page.getByRole('button', { name: 'Switch on' }).waitFor()
    await open(page, 'webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill('http://localhost:9/new')
    await page.getByLabel('user.registered').check()
    await page.getByRole('form').getByRole('button', { name: 'New webhook' }).click()
    await page.getByText(/^whsec_/).waitFor()
    // Not by keys: two of them must follow each other sooner than a busy machine can press them.
    await open(page, '')
    await page.getByRole('heading', { name: 'Home' }).waitFor()
    await open(page, 'webhooks')
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor()
    expect(await page.getByText(/^whsec_/).count()).toBe(0)
    await page.context().close()
  })

  it('one key leads into every form, so that no Tab is counted', async () => {
    const page = await signedIn('ann')
    const agent = people.agent.id
    for (const [hash, key, field] of [
      [`people/${agent}`, 'b', 'Reason of the ban'],
      [`people/${agent}`, 'f', 'Note for administrators'],
      [`people/${agent}`, 'l', 'Drafts'],
      [`payments/${ids.paid}`, 'r', 'Sum (XOF)'],
      [`callbacks/${ids.callback}`, 'a', 'What'],
      [`ledger/${agent}`, 'c', 'The agent is owed'],
      ['webhooks', 'c', 'Address'],
      ['payouts', 'r', 'Currency'],
    ] as const) {
      await open(page, hash)
      if (hash.includes('/')) await page.getByRole('main').getByRole('form').first().waitFor()
      await page.keyboard.press(key)
      await expect
        .poll(() => page.evaluate('document.activeElement.labels?.[0]?.innerText'), {
          message: `${hash} ${key}`,
        })
        .toBe(field)
      await page.evaluate('document.activeElement.blur()')
    }
    await page.context().close()
  })

  it('closes the reports of an enquiry by a key, once its button is pressed', async () => {
    const page = await signedIn('ann')
    await open(page, `enquiries/${ids.enquiry}`)
    await page.getByText('Customer: Kofi Mensah').waitFor()
    await page.keyboard.press('d')
    await page.keyboard.press('Enter')
    await sendHeld(page, 'Dismiss the reports')
    const { reports } = (await send('GET', `/admin/enquiries/${ids.enquiry}`, { token: ann })) as {
      reports?: { outcome: string }[]
    }
    expect(reports).toMatchObject([{ outcome: 'DISMISSED' }])
    await page.context().close()
  })

  it('releases a claim that was under way when its page was left, once it is there', async () => {
    const page = await signedIn('ann')
    const passed: string[] = []
    const claimed = Promise.withResolvers<void>()
    const isAsked = page.waitForRequest('**/admin/claims/*')
    await page.route('**/admin/claims/*', async (route) => {
      const method = route.request().method()
      if (method === 'PUT') await claimed.promise
      passed.push(method)
      return route.fallback()
    })
    await open(page, `payments/${ids.disputed}`)
    await isAsked
    await open(page, 'mails')
    await page.getByRole('heading', { name: 'Unsent mail' }).waitFor()
    claimed.resolve()
    await expect.poll(() => passed).toEqual(['PUT', 'DELETE'])
    await page.context().close()
  })

  it('says who else is at the same thing', async () => {
    const [page, other] = await Promise.all([signedIn('ann'), signedIn('bob', {}, false)])
    await open(page, `payments/${ids.paid}`)
    await page.getByText('Yours until').waitFor()
    await open(other, `payments/${ids.paid}`)
    await other.getByText('ann is at this until').waitFor()
    await Promise.all([page.context().close(), other.context().close()])
  })
})

describe('money', () => {
  it('a list of payments names who paid', async () => {
    const page = await signedIn('ann')
    await open(page, 'payments')
    await page
      .getByRole('row', { name: /150,000.*Kofi Mensah/ })
      .first()
      .waitFor()
    await page.context().close()
  })

  it('charges are told apart by which, when and how much, and a sum can be emptied and typed anew', async () => {
    const page = await signedIn('ann')
    await open(page, `payments/${ids.twice}`)
    const charges = page.getByLabel('Of the charge').getByRole('option')
    await charges.first().waitFor({ state: 'attached' })
    const names = await charges.allInnerTexts()
    expect(names).toHaveLength(2)
    expect(names[0]).toMatch(/^1st charge, \d\d:\d\d, XOF\s150,000$/)
    expect(names[1]).toMatch(/^2nd charge, \d\d:\d\d, XOF\s150,000$/)
    expect(await page.getByLabel('Of the charge').inputValue()).toMatch(/second$/)
    const sum = page.getByLabel('Sum (XOF)')
    expect(await sum.inputValue()).toBe('150000')
    await sum.focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Backspace')
    expect(await sum.inputValue()).toBe('')
    expect(await page.getByRole('button', { name: 'Refund' }).isDisabled()).toBe(true)
    await page.keyboard.type('20000')
    expect(await sum.inputValue()).toBe('20000')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.keyboard.press('z')
    await page.getByText('Undone').waitFor()
    expect(await sum.inputValue()).toBe('20000')
    await page.context().close()
  })

  it('no sum is taken before the decimals of its currency are known, which are asked for until they are', async () => {
    const page = await signedIn('ann', {}, false)
    let isBroken = true
    await page.route('**/currencies', (route) =>
      isBroken ? route.fulfill({ status: 503 }) : route.fallback(),
    )
    await page.reload()
    await open(page, `payments/${ids.paid}`)
    await page.getByLabel(/^Sum/).fill('1500')
    expect(await page.getByRole('button', { name: 'Refund' }).isDisabled()).toBe(true)
    isBroken = false
    await page
      .getByText(/XOF\s150,000/)
      .first()
      .waitFor()
    expect(await page.getByRole('button', { name: 'Refund' }).isDisabled()).toBe(false)
    await page.context().close()
  })

  it('a payment of which nothing can be given back says why, and offers no refund', async () => {
    const unpaid = await openPayment(send, people.customer, ids.live)
    const page = await signedIn('ann')
    for (const [id, why] of [
      [unpaid.id, 'Nobody has paid yet'],
      [ids.disputed, 'It is disputed'],
    ]) {
      await open(page, `payments/${id}`)
      await page.getByText(why ?? '').waitFor()
      expect(await page.getByRole('button', { name: 'Refund' }).count()).toBe(0)
    }
    await page.context().close()
  })

  it('a callback says in money what its provider said, in the list and on its page', async () => {
    const page = await signedIn('ann')
    await open(page, 'callbacks')
    await page.getByRole('row', { name: /payment.succeeded.*Unmatched.*77,000/ }).waitFor()
    // The sentence of the API; this stack has no callback of a wrong sum.
    const detail = '44000 minor units of XOF were paid, 45000 minor units of XOF were asked for'
    await page.route(`**/admin/payments/callbacks/${ids.callback}`, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...((await answer.json()) as object), detail } })
    })
    await open(page, `callbacks/${ids.callback}`)
    await page.getByText(/^XOF\s44,000 were paid, XOF\s45,000 were asked for$/).waitFor()
    await page.getByText('Money came').waitFor()
    await page.getByText('No payment of this provider').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.context().close()
  })

  it('refunds and disputes of a charge in another currency are shown in that of the charge', async () => {
    const page = await signedIn('ann')
    await page.route(`**/admin/payments/${ids.twice}`, async (route) => {
      const answer = (await (await route.fetch()).json()) as { charges: object[] }
      const [first, second] = answer.charges
      const of = { chargeId: 'in-euros', amount: 4_500, reason: null }
      const at = '2026-11-20T17:00:00.000Z'
      const refund = {
        id: 'rfd_1',
        paymentId: ids.twice,
        status: 'FAILED',
        needsResolution: false,
        createdAt: at,
      }
      await route.fulfill({
        json: {
          ...answer,
          charges: [first, { ...second, id: 'in-euros', state: 'UNASKED', amount: 4_500, currency: 'EUR' }],
          refunds: [{ ...of, ...refund, currency: 'EUR' }],
          disputes: [{ ...of, id: 'dsp_1', state: 'OPEN', respondBy: null, at }],
        },
      })
    })
    await open(page, `payments/${ids.twice}`)
    const timeline = page.locator('.timeline')
    await timeline.getByText(/Refunds: EUR\s45\.00/).waitFor()
    await timeline.getByText(/Disputes: EUR\s45\.00/).waitFor()
    const disputes = page.locator('.section', { has: page.getByRole('heading', { name: 'Disputes' }) })
    await disputes.getByText(/EUR\s45\.00/).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.context().close()
  })

  it('gives the second charge back', async () => {
    const page = await signedIn('ann')
    await open(page, `payments/${ids.twice}`)
    await page.getByText('Charged twice').waitFor()
    await page.getByLabel('Reason').fill('Charged twice')
    await page.getByRole('button', { name: 'Refund' }).click()
    await sendHeld(page, 'Kofi Mensah: Refund XOF 150,000')
    await eventually(async () => {
      const { refunds } = (await send('GET', `/admin/payments/${ids.twice}`, { token: ann })) as unknown as {
        refunds: { status: string; amount: number; chargeId: string }[]
      }
      return refunds.some(
        ({ status, amount, chargeId }) =>
          status === 'SUCCEEDED' && amount === 150_000 && chargeId.endsWith('second'),
      )
        ? true
        : undefined
    })
    await page.context().close()
  })

  it('replays a callback once its dry run has shown what would change', async () => {
    const page = await signedIn('ann')
    const asked: unknown[] = []
    await page.route('**/replay', async (route) => {
      const { dryRun } = route.request().postDataJSON() as { dryRun: boolean }
      asked.push(dryRun)
      const answer = await route.fetch()
      const wouldChange = { status: { from: 'PENDING', to: 'SUCCEEDED' }, charges: { from: 0, to: 1 } }
      // What it would change is made up: what this stack delivered it has processed.
      await route.fulfill({ json: { ...((await answer.json()) as object), wouldChange } })
    })
    await open(page, `payments/${ids.paid}`)
    await page.getByRole('table', { name: 'Callbacks' }).getByRole('link').first().click()
    await page.getByRole('row', { name: 'Status Pending Succeeded' }).waitFor()
    expect(asked).toEqual([true])
    await page.getByRole('button', { name: 'Replay now' }).click()
    await sendHeld(page, 'Replay now')
    expect(asked.slice(0, 2)).toEqual([true, false])
    await page.unrouteAll({ behavior: 'wait' })
    await page.context().close()
  })

  it('what a replay would change is shown in the currency of the payment, which the callback may not say', async () => {
    const page = await signedIn('ann')
    await page.route('**/replay', async (route) => {
      const answer = (await (await route.fetch()).json()) as object
      const wouldChange = { amountPaid: { from: 0, to: 150_000 } }
      await route.fulfill({ json: { ...answer, wouldChange } })
    })
    await page.route('**/admin/payments/callbacks/cbk_*', async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const answer = (await (await route.fetch()).json()) as object
      return route.fulfill({ json: { ...answer, amount: null, currency: null } })
    })
    await open(page, `payments/${ids.paid}`)
    await page.getByRole('table', { name: 'Callbacks' }).getByRole('link').first().click()
    await page.getByRole('row', { name: /^Paid XOF\s0 XOF\s150,000$/ }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.context().close()
  })

  it('attaches a callback that no payment was found for', async () => {
    const secret = (await localKeys(stack.directory)).sandboxWebhookSecret
    const unpaid = await openPayment(send, people.customer, ids.live)
    await unmatchedCallback(stack.url, secret, 150_000)
    const page = await signedIn('ann')
    await open(page, 'callbacks')
    await page.getByRole('link', { name: 'payment.succeeded' }).first().click()
    await page.getByRole('radio', { name: unpaid.id }).check()
    expect(await page.getByLabel('Id of the payment').inputValue()).toBe(unpaid.id)
    await page.getByLabel('Note').fill('Named in the transfer')
    await page.getByRole('button', { name: 'Attach' }).click()
    await sendHeld(page, 'Attach to a payment')
    const paid = (await send('GET', `/admin/payments/${unpaid.id}`, { token: ann })) as unknown
    expect(paid).toMatchObject({ status: 'SUCCEEDED' })
    await page.context().close()
  })
})

describe('what else is known', () => {
  it('a listing shows how often it was looked at and asked about', async () => {
    const page = await signedIn('ann')
    await open(page, `listings/${ids.live}`)
    await page.getByText(/^Enquiries 1$/).waitFor()
    await page.getByRole('img', { name: /^Views\. .*: 0/ }).waitFor()
    await page.context().close()
  })

  it('the second factors of a person go, and the page says when', async () => {
    const { id } = people.customer
    const steppedUp = await send('POST', '/auth/step-up', {
      token: people.customer.token,
      body: { password: PASSWORD },
    })
    const token = `${steppedUp['accessToken']}`
    const { secret } = (await send('POST', '/auth/second-factor/totp', { token })) as unknown as {
      secret: string
    }
    const page = await signedIn('ann', {}, false)
    await open(page, `people/${id}`)
    const form = page.getByRole('form', { name: 'Remove every second factor' })
    const remove = async () => {
      await form.getByRole('button').click()
      await page.getByRole('button', { name: 'Send now' }).click()
    }
    await form.getByLabel('Note').fill('Lost the telephone')
    await remove()
    await form.getByText('has no second factor').waitFor()
    await send('POST', '/auth/second-factor/totp/confirm', { token, body: { code: codeOf(secret) } })
    await remove()
    await form.getByText('Every second factor goes at').waitFor()
    const person = (await send('GET', `/admin/users/${id}`, { token: ann })) as { removesAt?: string }
    expect(Date.parse(person.removesAt ?? '')).toBeGreaterThan(Date.now())
    await page.context().close()
  })
})

describe('names and sentences', () => {
  it('the journal says who rejected whom and why, with a link, and shows no id and no JSON', async () => {
    const rejected = await person(send, 'Aminata Sow')
    await waitingAgent(send, rejected)
    const decision = { userId: rejected.id, kycStatus: 'REJECTED', reasons: ['document_unreadable'] }
    await send('PATCH', '/auth/kyc', { token: ann, body: decision })
    const page = await signedIn('ann')
    await open(page, 'journal')
    const row = page.getByRole('row', { name: /Decided on an identity Aminata Sow/ })
    await row.waitFor()
    expect(await row.innerText()).toMatch(/ann.*→ Rejected.*The document cannot be read clearly/s)
    expect(await page.getByRole('table').innerText()).not.toMatch(/(usr|lst)_|[{}[\]"]/)
    await row.getByRole('link', { name: 'Aminata Sow' }).click()
    await page.getByRole('heading', { name: 'Aminata Sow' }).waitFor()
    await open(page, `journal?subject=${ids.live}`)
    await page
      .getByRole('row', { name: /Moderated a listing Villa with a .* In review → Published/ })
      .waitFor()
    await page.context().close()
  })

  it('events are in words with links, in the list and on their pages', async () => {
    const page = await signedIn('ann')
    await open(page, `events?subject=${ids.live}`)
    const row = page.getByRole('row', { name: /Listing moved on Villa with a .* In review → Published/ })
    await row.waitFor()
    expect(await page.getByRole('table').innerText()).not.toMatch(/(usr|lst)_|[{}[\]"]/)
    await row.getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Listing moved on' }).waitFor()
    await page.getByText('In review → Published').waitFor()
    await page.getByRole('link', { name: 'Moussa Traoré' }).waitFor()
    await page.context().close()
  })

  it('the reports of a listing that is not among its agent’s newest hundred are read from the reports themselves', async () => {
    const page = await signedIn('ann', {}, false)
    await page.route('**/admin/listings?agent=*', (route) =>
      route.fulfill({ json: { items: [], nextCursor: null } }),
    )
    const reports = page.getByRole('heading', { name: 'Reports' }).locator('xpath=ancestor::section')
    await open(page, `listings/${ids.live}`)
    await reports.getByText('img src=x').waitFor()
    await open(page, `listings/${ids.waiting}`)
    await reports.getByText('No open reports.').waitFor()
    await page.context().close()
  })

  it('a report of fraud is not read as a sentence about an identity', async () => {
    const suspicious = await waitingListing(send, people.agent, 'A palace for nothing')
    await send('PATCH', `/listings/${suspicious}/moderate`, { token: ann, body: { status: 'PUBLISHED' } })
    const report = { reason: 'suspected_fraud', text: 'Asked for money by post' }
    await send('POST', `/listings/${suspicious}/reports`, { token: people.customer.token, body: report })
    const page = await signedIn('ann')
    await open(page, 'reports')
    await page.getByRole('row', { name: /A palace for nothing.*Suspected fraud 1/ }).waitFor()
    await open(page, `reports/${suspicious}`)
    await page.getByText('Suspected fraud', { exact: true }).waitFor()
    expect(await page.getByText('that your details are genuine').count()).toBe(0)
    await page.context().close()
  })

  it('the ledger names accounts and what was posted', async () => {
    const page = await signedIn('ann')
    await open(page, 'ledger')
    const postings = page.getByRole('table', { name: 'Postings' })
    await postings
      .getByRole('row', { name: /At sandbox XOF\s150,000 Charge/ })
      .first()
      .waitFor()
    expect(await postings.innerText()).not.toMatch(/charge:|provider:/)
    await page.context().close()
  })

  it('a mail is called what it is for', async () => {
    const page = await signedIn('ann')
    const mail = {
      id: 'mai_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
      kind: 'password-reset',
      userId: people.agent.id,
      error: 'refused',
      attempts: 3,
      at: new Date().toISOString(),
    }
    await page.route('**/admin/mails*', (route) =>
      route.fulfill({ json: { items: [mail], nextCursor: null } }),
    )
    await open(page, 'mails')
    await page.getByRole('row', { name: /Link for a new password Moussa Traoré/ }).waitFor()
    await page.context().close()
  })

  it('a refused field is named once, in a sentence of the console', async () => {
    const page = await signedIn('ann', {}, false)
    await open(page, 'webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('Address').fill('ftp://example.com/')
    await page.getByLabel('user.registered').check()
    await page.getByRole('form').getByRole('button', { name: 'New webhook' }).click()
    const alert = page.getByRole('alert')
    await alert.waitFor()
    expect(await alert.innerText()).toMatch(
      /^The address must begin with https:\/\/ and lead to a server that everyone can reach\.\n/,
    )
    expect(await alert.innerText()).not.toContain('url')
    await page.context().close()
  })

  it('a browser whose language is no tag, such as `en-US@posix`, shows the page in that language', async () => {
    const page = await signedIn('ann')
    for (const [tag, heading] of [
      ['en-US@posix', 'Journal'],
      ['fr-FR@posix', 'Grand livre'],
    ] as const) {
      await page.addInitScript(
        `Object.defineProperty(navigator, 'languages', { value: ['${tag}'], configurable: true })`,
      )
      await page.reload()
      await open(page, heading === 'Journal' ? 'journal' : 'ledger')
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    }
    await page.context().close()
  })
})

describe('a sense of place', () => {
  it('the menu says which product and stage this is, and how much waits on each page', async () => {
    const page = await signedIn('ann')
    const brand = page.getByRole('link', { name: 'Console local' })
    await brand.waitFor()
    const colour = "getComputedStyle(document.querySelector('.brand .mark')).backgroundColor"
    expect(await page.evaluate(colour)).toBe('rgb(29, 78, 216)')
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^Listings\s*[1-9]/ })
      .waitFor()
    await page.context().close()
  })

  it('home shows every queue in one row, what has waited longest first and what is empty last', async () => {
    const page = await signedIn('ann', { viewport: { width: 1366, height: 768 }, locale: 'fr-FR' })
    const tiles = page.locator('.tile')
    await expect.poll(() => tiles.count(), { timeout: 15_000 }).toBe(9)
    const boxes = await tiles.evaluateAll((all) =>
      all.map((tile) => [tile.getBoundingClientRect().top, tile.scrollWidth - tile.clientWidth]),
    )
    expect(boxes).toEqual(boxes.map(() => [boxes[0]?.[0], 0]))
    const counts = await tiles.locator('b').allInnerTexts()
    expect(counts.slice(counts.indexOf('0')).filter((count) => count !== '0')).toEqual([])
    expect(counts[0]).not.toBe('0')
    await page.context().close()
  })

  it('a reported listing is suspended where its reports are read, which closes them', async () => {
    const reported = await waitingListing(send, people.agent, 'A flat at a strange price')
    await send('PATCH', `/listings/${reported}/moderate`, { token: ann, body: { status: 'PUBLISHED' } })
    const report = { reason: 'wrong_price', text: 'Half of it is missing' }
    await send('POST', `/listings/${reported}/reports`, { token: people.customer.token, body: report })
    const page = await signedIn('ann')
    await open(page, `reports/${reported}`)
    await page.getByRole('button', { name: 'Suspend and close' }).waitFor()
    await page.keyboard.press('s')
    const reason = page.getByLabel('The price is wrong')
    await expect.poll(() => reason.isChecked()).toBe(true)
    await reason.press('Enter')
    await sendHeld(page, 'A flat at a strange price: Suspended, and its reports closed')
    const listing = (await send('GET', `/listings/${reported}`, { token: ann })) as unknown
    expect(listing).toMatchObject({ status: 'SUSPENDED' })
    const openReports = () => send('GET', `/admin/reports/${reported}`, { token: ann })
    await expect.poll(openReports, { timeout: 15_000 }).toMatchObject({ items: [] })
    await page.context().close()
  })

  it('an enquiry leads to its listing, its customer and its agent', async () => {
    const page = await signedIn('ann')
    for (const name of ['Kofi Mensah', /^Moussa Traoré/, /^Villa with a/]) {
      await open(page, `enquiries/${ids.enquiry}`)
      await page.getByRole('main').getByRole('definition').getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
    await page.context().close()
  })
})

type PagesOfPeople = {
  /** The cursors that were asked for; null for the first page. */
  asked: (string | null)[]
  /** What every name ends with. */
  suffix: string
  /** Answers the second page; the list itself without it. */
  further: ((route: Route) => void | Promise<void>) | undefined
}

/** Answers the list of people with two pages of two. */
async function pagesOfPeople(page: Page): Promise<PagesOfPeople> {
  const { items } = (await send('GET', '/admin/users?limit=1', { token: ann })) as unknown as {
    items: object[]
  }
  const pages: PagesOfPeople = { asked: [], suffix: '', further: undefined }
  const rows = (first: number) =>
    [first, first + 1].map((row) => ({ ...items[0], id: `usr_${row}`, name: `Person ${row}${pages.suffix}` }))
  await page.route('**/admin/users*', (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor')
    const json = { items: rows(cursor === null ? 0 : 2), nextCursor: cursor === null ? 'second' : null }
    return route.fulfill({ json })
  })
  await page.route('**/admin/users*', (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor')
    pages.asked.push(cursor)
    return cursor !== null && pages.further ? pages.further(route) : route.fallback()
  })
  return pages
}

describe('finding', () => {
  it('an address that was cut off shows a page all the same', async () => {
    const page = await signedIn('ann', {}, false)
    await page.goto(`${stack.url}/console#/people/%`)
    await page.locator('main [role=alert]').waitFor()
    await open(page, 'journal?from=x')
    await page.getByRole('table').waitFor()
    await open(page, 'ledger?from=2026-1&to=x')
    await page.getByRole('table', { name: 'Postings' }).waitFor()
    await page.context().close()
  })

  it('what was typed to find a person is gone once the menu shows everybody again', async () => {
    const page = await signedIn('ann')
    await open(page, 'people')
    await page.getByLabel('E-mail, telephone or words of a name').fill('Fatou')
    await page.waitForURL(/q=Fatou/)
    await page.getByRole('link', { name: 'People' }).click()
    await page.waitForURL(/people$/)
    await expect.poll(() => page.getByLabel('E-mail, telephone or words of a name').inputValue()).toBe('')
    // Longer than the pause after which what is typed is searched.
    await page.waitForTimeout(600)
    expect(page.url()).toMatch(/people$/)
    await page.context().close()
  })

  it('opens what Ctrl-K finds', async () => {
    const page = await signedIn('ann')
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill(people.agent.email)
    await page.getByRole('dialog').getByRole('button', { name: 'Moussa Traoré' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Moussa Traoré' }).waitFor()
    await page.context().close()
  })

  it('a word of a surname or of a title is found by Ctrl-K, and opened by keys alone', async () => {
    const page = await signedIn('ann')
    const bar = page.getByRole('dialog')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('traore')
    await bar.getByRole('button', { name: /Moussa Traoré.*Person/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Moussa Traoré' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('villa')
    await bar.getByRole('button', { name: /Villa with a .*Listing/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: /Villa with a/ }).waitFor()
    await page.context().close()
  })

  it('Ctrl-K offers what can be done here, what was open lately and every page, by keys alone', async () => {
    const page = await signedIn('ann')
    await open(page, `people/${people.agent.id}`)
    await page.getByRole('heading', { name: 'Moussa Traoré' }).waitFor()
    await open(page, `payments/${ids.twice}`)
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.keyboard.press('Control+k')
    const bar = page.getByRole('dialog')
    expect(await bar.getByRole('heading').allInnerTexts()).toEqual([
      'Search',
      'Here',
      'Opened lately',
      'Pages',
    ])
    expect(await bar.getByRole('region', { name: 'Here' }).innerText()).toContain('Next in the queue')
    await page.keyboard.type('mous')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Moussa Traoré' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('save')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('number')
    await page.keyboard.press('Control+k')
    await bar.getByRole('region', { name: 'Pages' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await bar.locator('button:focus').waitFor()
    // What is typed among the results goes on in the field.
    await page.keyboard.type('jour')
    expect(await bar.getByRole('searchbox').inputValue()).toBe('jour')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Journal' }).waitFor()
    await page.context().close()
  })

  it('leads by keys, which `?` shows', async () => {
    const page = await signedIn('ann')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { name: 'Payments' }).waitFor()
    await page.getByRole('table').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Next in the queue').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('Nobody at all')
    await page.getByText('Nothing has this id').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Payments' }).waitFor()
    await page.context().close()
  })

  it('asks for a further page that fails once, and again when the reader does', async () => {
    const page = await signedIn('ann', {}, false)
    const pages = await pagesOfPeople(page)
    let isBroken = true
    pages.further = (route) => (isBroken ? route.fulfill({ status: 503 }) : route.fallback())
    await open(page, 'people')
    await page.getByRole('main').getByRole('alert').waitFor()
    for (let drawn = 0; drawn < 30; drawn++)
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    expect(pages.asked.filter((cursor) => cursor !== null)).toHaveLength(1)
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Person 3', { exact: true }).waitFor()
    await page.context().close()
  })

  it('loads a list again from its first page while a further one is under way, and then the further one', async () => {
    const page = await signedIn('ann', {}, false)
    const pages = await pagesOfPeople(page)
    let answer = () => {}
    const isAsked = new Promise<void>((resolve) => {
      pages.further = async (route) => {
        pages.further = undefined
        const isAnswered = new Promise<void>((answered) => (answer = answered))
        resolve()
        await isAnswered
        await route.fallback()
      }
    })
    await open(page, 'people')
    await isAsked
    pages.suffix = ' anew'
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.getByText('Person 0 anew', { exact: true }).waitFor()
    await page.getByText('Person 3 anew', { exact: true }).waitFor()
    answer()
    await page.context().close()
  })

  it('draws ten thousand rows with few elements', async () => {
    const page = await signedIn('ann', {}, false)
    const { items } = (await send('GET', '/admin/users?limit=1', { token: ann })) as unknown as {
      items: object[]
    }
    const rows = Array.from({ length: 10_000 }, (_, row) => ({
      ...items[0],
      id: `usr_${row}`,
      name: `Person ${row}`,
    }))
    await page.route('**/admin/users*', (route) => route.fulfill({ json: { items: rows, nextCursor: null } }))
    await open(page, 'people')
    await page.getByText('Person 0', { exact: true }).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.getByText('Person 9999', { exact: true }).waitFor()
    expect(await page.locator('*').count()).toBeLessThan(20_000)
    await page.context().close()
  })
})

describe('every page', () => {
  let isShown: Promise<boolean>

  beforeAll(async () => {
    const page = await signedIn('ann')
    await open(page, 'home')
    const tile = page.getByRole('main').getByRole('link', { name: /^Listings\s*\d/ })
    const before = Number(/\d+/.exec(await tile.innerText())?.[0])
    await waitingListing(send, people.agent, 'A studio that came meanwhile')
    // Awaited by its own test, while the others go on.
    isShown = page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^Listings\\s*${before + 1}`) })
      .waitFor({ timeout: 25_000 })
      .then(
        () => true,
        () => false,
      )
  })

  const pages = () => [
    'home',
    'identities',
    `identities/${people.hostile.id}`,
    'listings',
    `listings/${ids.waiting}`,
    'reports',
    `reports/${ids.live}`,
    'enquiries',
    `enquiries/${ids.enquiry}`,
    'payments',
    `payments/${ids.twice}`,
    'callbacks',
    `callbacks/${ids.callback}`,
    'people',
    `people/${people.hostile.id}`,
    'mails',
    'webhooks',
    `webhooks/${ids.webhook}`,
    'journal',
    'events',
  ]

  it.each([
    [1440, 'dark', 'en-GB'],
    [360, 'light', 'fr-FR'],
  ] as const)(
    'can be used by everyone at %i pixels, %s, in %s, and shows what strangers typed as text',
    {
      timeout: 90_000,
    },
    async (width, colorScheme, locale) => {
      const page = await signedIn('ann', { viewport: { width, height: 800 }, colorScheme, locale })
      const findings: string[] = []
      for (const hash of pages()) {
        await open(page, hash)
        findings.push(...(await findingsOn(page, hash, width > 1_000 ? ['light', 'dark'] : [colorScheme])))
        await keepPicture(page, hash, `${width}-${colorScheme}`)
      }
      expect(findings).toEqual([])
      await page.context().close()
    },
  )

  it('shows within 25 seconds what came meanwhile', { timeout: 40_000 }, async () => {
    expect(await isShown).toBe(true)
  })

  it('writes no error to the console and asks no other origin', () => {
    expect(faults).toEqual([])
  })
})
