import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '#test/support/browser'
import { jpeg } from '#test/support/pictures'
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

const PORT = 21_400 + (process.pid % 4_000)

let stack: StartedStack
let browser: Browser
let readers: Readers
let send: ReturnType<typeof clientOf>
let ann: string
let bob: string
let agent: Person

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startedStack(PORT, { demoData: false }), openBrowser()])
  readers = readersOf(browser, PORT)
  send = clientOf(stack.url)
  ;[ann, bob] = await Promise.all([
    stack.run('npm run --silent token -- --sub ann'),
    stack.run('npm run --silent token -- --sub bob'),
  ]).then((tokens) => tokens.map((token) => token.trim()))
  agent = await person(send, 'Moussa Traoré')
  await waitingAgent(send, agent)
  await send('PATCH', '/auth/kyc', { token: ann, body: { userId: agent.id, kycStatus: 'VERIFIED' } })
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

const DECIDED_AT = Date.now()

/** The time stands still for a page until it is moved, so that what is held is sent when a test says so. */
const stopTime = (page: Page, seconds = 0) => page.clock.setFixedTime(DECIDED_AT + seconds * 1_000)

/** A reader whose time stands still, with every change that their tabs ask for. */
async function reader({ isWatched = true } = {}): Promise<{ page: Page; sent: string[] }> {
  const page = await readers.signedIn('ann', {}, isWatched)
  await stopTime(page)
  const sent: string[] = []
  page.context().on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'PATCH' || pathname.endsWith('/refunds')) sent.push(pathname)
  })
  return { page, sent }
}

/** A listing that waits for a decision. Nothing here looks at its picture. */
const listingToDecide = (title: string) => waitingListing(send, agent, title, jpeg())

const listingStatus = async (id: string) => (await send('GET', `/listings/${id}`, { token: ann }))['status']

const becomes = (id: string, status: string) =>
  expect.poll(() => listingStatus(id), { timeout: 15_000 }).toBe(status)

/** Publishes a listing by keys; the decision is held, the newest of those that are. */
async function publish(page: Page, id: string): Promise<void> {
  await readers.open(page, `listings/${id}`)
  await page.getByRole('button', { name: 'Publish' }).waitFor()
  await page.keyboard.press('p')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Send now' }).last().waitFor()
}

/** Refuses a listing with a message that was typed; the decision is held. */
async function refuse(page: Page, id: string, message: string): Promise<void> {
  await readers.open(page, `listings/${id}`)
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByLabel('Message').fill(message)
  await page.getByRole('button', { name: 'Reject' }).click()
  await page.getByRole('button', { name: 'Send now' }).waitFor()
}

/** Cuts a page off from what decides, so that it cannot send what it holds. */
async function cutOff(page: Page): Promise<void> {
  await page.route('**/moderate', (route) => route.abort())
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText('Not sent yet').waitFor()
}

/** Lets a request arrive, and loses its answer. */
async function loseAnswer(route: Route): Promise<void> {
  await route.fetch()
  await route.abort()
}

const anotherTab = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${stack.url}/console`)
  await page.locator('#content').waitFor()
  return page
}

describe('a decision that is held', () => {
  it('is shown and counted down, and is sent once its seconds are over', async () => {
    const id = await listingToDecide('Held and sent')
    const { page, sent } = await reader()
    await publish(page, id)
    await page.getByText('Held and sent: Publish 8 s').waitFor()
    await stopTime(page, 5)
    await page.getByText('Held and sent: Publish 3 s').waitFor()
    expect([sent, await listingStatus(id)]).toEqual([[], 'PENDING_REVIEW'])
    await stopTime(page, 9)
    await page.getByText('Held and sent: Publish. Sent.').waitFor()
    expect([sent.length, await listingStatus(id)]).toEqual([1, 'PUBLISHED'])
    await page.context().close()
  })

  it('is taken back by `z`, is never sent, and can be made again with what was typed', async () => {
    const id = await listingToDecide('Taken back by a key')
    const { page, sent } = await reader()
    await refuse(page, id, 'Every word of it')
    await page.keyboard.press('z')
    await page.getByText('Undone').waitFor()
    await stopTime(page, 60)
    expect(await page.getByLabel('Message').inputValue()).toBe('Every word of it')
    expect(page.url()).toContain(id)
    expect(sent).toEqual([])
    await page.getByRole('button', { name: 'Reject' }).click()
    await sendHeld(page, 'Reject')
    expect(sent).toHaveLength(1)
    expect(await send('GET', `/listings/${id}`, { token: ann })).toMatchObject({ status: 'REJECTED' })
    await page.context().close()
  })

  it('is taken back by Tab and Enter from the page that comes after it', async () => {
    const id = await listingToDecide('Taken back by Tab')
    const { page, sent } = await reader()
    await publish(page, id)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^Undo/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    await page.getByText('Undone').waitFor()
    expect([sent, await listingStatus(id)]).toEqual([[], 'PENDING_REVIEW'])
    await page.context().close()
  })

  it('of several, `z` takes the newest back and the others go on', async () => {
    const [first, second] = [
      await listingToDecide('The first of two'),
      await listingToDecide('The second of two'),
    ]
    const { page } = await reader()
    await publish(page, first)
    await publish(page, second)
    await page.getByText('The second of two: Publish 8 s').waitFor()
    await page.keyboard.press('z')
    await page.getByText('Undone').waitFor()
    await stopTime(page, 9)
    await page.getByText('The first of two: Publish. Sent.').waitFor()
    expect([await listingStatus(first), await listingStatus(second)]).toEqual(['PUBLISHED', 'PENDING_REVIEW'])
    await page.context().close()
  })

  it('of several, `Send now` sends its own and the others are still held', async () => {
    const [first, second] = [await listingToDecide('Sent now'), await listingToDecide('Still held')]
    const { page, sent } = await reader()
    await publish(page, first)
    await publish(page, second)
    await page.getByRole('button', { name: 'Send now' }).first().click()
    await page.getByText('Sent now: Publish. Sent.').waitFor()
    await page.getByText('Still held: Publish 8 s').waitFor()
    expect([sent.length, await listingStatus(second)]).toEqual([1, 'PENDING_REVIEW'])
    await page.context().close()
  })

  it('leaves no form on its page to decide with a second time', async () => {
    const id = await listingToDecide('Opened again')
    const { page } = await reader()
    await publish(page, id)
    await readers.open(page, `listings/${id}`)
    await page.getByText('Decided, and sent in a moment').waitFor()
    expect(await page.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    await page.context().close()
  })

  it.each([
    [1440, 900],
    [360, 800],
  ])(
    'can be used by everyone at %i × %i, and covers no button of the next decision',
    async (width, height) => {
      const [id, next] = [
        await waitingListing(send, agent, 'A title of many words, so that the message of it is long'),
        await waitingListing(send, agent, 'The next one'),
      ]
      const { page } = await reader()
      await page.setViewportSize({ width, height })
      await publish(page, id)
      await readers.open(page, `listings/${next}`)
      await page.locator('.verdicts button').first().waitFor()
      expect(await findingsOn(page, `held-${width}`, ['light', 'dark'])).toEqual([])
      await keepPicture(page, 'held', `${width}`)
      const covered = `[...document.querySelectorAll('.verdicts button, .toasts button')].filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect()
        return document.elementFromPoint((left + right) / 2, (top + bottom) / 2)?.closest('button') !== button
      }).map((button) => button.innerText)`
      await expect.poll(() => page.evaluate(covered)).toEqual([])
      await page.keyboard.press('z')
      await page.getByText('Undone').waitFor()
      await page.context().close()
    },
  )
})

describe('leaving while a decision is held', () => {
  it('a page that is left sends it at once', async () => {
    const id = await listingToDecide('Left for another page')
    const { page } = await reader()
    await publish(page, id)
    await page.goto('about:blank')
    await becomes(id, 'PUBLISHED')
    await page.context().close()
  })

  it('a tab that is closed sends it at once', async () => {
    const id = await listingToDecide('Closed at once')
    const { page } = await reader()
    await publish(page, id)
    await page.close({ runBeforeUnload: true })
    await becomes(id, 'PUBLISHED')
  })

  it('a page that is loaded again says that it has arrived, and forgets what was typed for it', async () => {
    const id = await listingToDecide('Loaded again')
    const { page } = await reader()
    await refuse(page, id, 'Typed once')
    await page.reload()
    await page.getByText('Loaded again: Reject. Sent.').waitFor()
    await becomes(id, 'REJECTED')
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
      'Typed once',
    )
    await page.context().close()
  })

  it('what a page could not send when it was left is sent by the next', async () => {
    const id = await listingToDecide('Left without an answer')
    const { page } = await reader({ isWatched: false })
    await publish(page, id)
    await cutOff(page)
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'wait' })
    expect(await listingStatus(id)).toBe('PENDING_REVIEW')
    await page.goto(`${stack.url}/console`)
    await page.getByText('Left without an answer: Publish. Sent.').waitFor()
    expect(await listingStatus(id)).toBe('PUBLISHED')
    await page.context().close()
  })

  it('a restored listing whose revision still waits is said to have arrived after its page was loaded again', async () => {
    const id = await listingToDecide('Restored with a revision')
    await send('PATCH', `/listings/${id}/moderate`, { token: bob, body: { status: 'PUBLISHED' } })
    await send('PATCH', `/listings/${id}`, {
      token: agent.token,
      body: { description: 'With a new garden behind the house' },
    })
    const suspension = { status: 'SUSPENDED', reasons: ['wrong_price'] }
    await send('PATCH', `/listings/${id}/moderate`, { token: bob, body: suspension })
    const { page } = await reader()
    await readers.open(page, `listings/${id}`)
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Send now' }).waitFor()
    await page.reload()
    await page.getByText('Restored with a revision: Publish. Sent.').waitFor()
    expect(await send('GET', `/listings/${id}`, { token: ann })).toMatchObject({
      status: 'PUBLISHED',
      revision: { changes: { description: 'With a new garden behind the house' } },
    })
    await page.context().close()
  })

  it('an identity that is left pending is said to have arrived after its page was loaded again', async () => {
    const pending = await person(send, 'Aya Kouassi')
    await waitingAgent(send, pending)
    const { page } = await reader()
    await readers.open(page, `identities/${pending.id}`)
    await page.getByLabel('Status').selectOption('PENDING')
    await page.getByRole('button', { name: 'Decide' }).click()
    await page.getByRole('button', { name: 'Send now' }).waitFor()
    await page.reload()
    await page.getByText('Aya Kouassi: Pending. Sent.').waitFor()
    await page.context().close()
  })

  it('another administrator of the same browser does not send it', async () => {
    const id = await listingToDecide('Left by ann')
    const { page } = await reader({ isWatched: false })
    await refuse(page, id, 'Typed by ann')
    await cutOff(page)
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'wait' })
    await page.context().clearCookies()
    await page.goto(`${stack.url}/console`)
    await page.getByLabel('Name').fill('bob')
    await page.getByRole('button').click()
    await page.locator('#content').waitFor()
    await readers.open(page, `listings/${id}`)
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    expect(await page.getByText('Left by ann: Reject').count()).toBe(0)
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain('Typed by ann')
    expect(await listingStatus(id)).toBe('PENDING_REVIEW')
    await page.context().close()
  })

  it('signing out sends it before', async () => {
    const id = await listingToDecide('Signed out')
    const { page } = await reader()
    await publish(page, id)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    expect(await listingStatus(id)).toBe('PUBLISHED')
    await page.context().close()
  })
})

describe('a network that is lost while a decision is held', () => {
  it('keeps it, says so, and sends it once there is a network', async () => {
    const id = await listingToDecide('Sent later')
    const { page } = await reader({ isWatched: false })
    await publish(page, id)
    await page.context().setOffline(true)
    await stopTime(page, 9)
    await page.getByText('Not sent yet').waitFor()
    await page.context().setOffline(false)
    await page.getByText('Sent later: Publish. Sent.').waitFor()
    expect(await listingStatus(id)).toBe('PUBLISHED')
    await page.context().close()
  })

  it('it can still be taken back', async () => {
    const id = await listingToDecide('Taken back without a network')
    const { page } = await reader({ isWatched: false })
    await publish(page, id)
    await page.context().setOffline(true)
    await stopTime(page, 9)
    await page.getByText('Not sent yet').waitFor()
    await page.keyboard.press('z')
    await page.getByText('Undone').waitFor()
    await page.context().setOffline(false)
    await stopTime(page, 60)
    await page.getByRole('button', { name: 'Publish' }).waitFor()
    expect(await listingStatus(id)).toBe('PENDING_REVIEW')
    await page.context().close()
  })

  it('an answer that is lost is no refusal: what has arrived is said to have', async () => {
    const id = await listingToDecide('The answer was lost')
    const { page, sent } = await reader({ isWatched: false })
    await page.route('**/moderate', loseAnswer, { times: 1 })
    await publish(page, id)
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Not sent yet').waitFor()
    await stopTime(page, 9)
    await page.getByText('The answer was lost: Publish. Sent.').waitFor()
    expect(sent).toHaveLength(2)
    const { items } = await send('GET', `/listings/${id}/history`, { token: ann })
    expect((items as { to: string }[]).filter(({ to }) => to === 'PUBLISHED')).toHaveLength(1)
    await page.context().close()
  })

  it('a decision that was first sent 23 hours ago is not sent again, and leads back to its form', async () => {
    const id = await listingToDecide('A day later')
    const { page, sent } = await reader({ isWatched: false })
    await refuse(page, id, 'Typed a day ago')
    await cutOff(page)
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'wait' })
    const attempts = sent.length
    await stopTime(page, 24 * 3_600)
    await page.goto(`${stack.url}/console`)
    await page.getByText('Sent more than 23 hours ago').waitFor()
    await page.getByRole('button', { name: 'Look again' }).click()
    expect(await page.getByLabel('Message').inputValue()).toBe('Typed a day ago')
    expect([sent.length, await listingStatus(id)]).toEqual([attempts, 'PENDING_REVIEW'])
    await page.context().close()
  })

  it('a ban whose answer is lost does not outdo what another decided after it', async () => {
    const banned = await person(send, 'Awa Koné')
    const { page, sent } = await reader({ isWatched: false })
    await page.route('**/admin/users/*', (route) =>
      route.request().method() === 'PATCH' && sent.length === 1 ? loseAnswer(route) : route.continue(),
    )
    await readers.open(page, `people/${banned.id}`)
    await page.getByLabel('Reason').fill('Spam')
    await page.getByRole('button', { name: 'Ban' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Not sent yet').waitFor()
    await send('PATCH', `/admin/users/${banned.id}`, { token: bob, body: { status: 'ACTIVE' } })
    await stopTime(page, 9)
    await page.getByText('Awa Koné: Banned. Sent.').waitFor()
    expect(sent).toHaveLength(2)
    expect(await send('GET', `/admin/users/${banned.id}`, { token: ann })).toMatchObject({ status: 'ACTIVE' })
    await page.context().close()
  })
})

describe('a sign-in that ends while a decision is held', () => {
  it('is renewed, and the decision is sent after the return, with every word of it', async () => {
    const id = await listingToDecide('Signed in again')
    const { page } = await reader({ isWatched: false })
    let isOver = true
    await page.route('**/moderate', (route) => (isOver ? route.fulfill({ status: 401 }) : route.continue()))
    await page.route('**/token', (route) => {
      const isRenewal = route.request().postData()?.includes('refresh_token') ?? false
      return isRenewal ? route.fulfill({ status: 400, body: '{}' }) : route.continue()
    })
    await refuse(page, id, 'Every word of it')
    const returned = page.waitForURL(/\/console\?code=/)
    await stopTime(page, 9)
    await returned
    isOver = false
    await page.getByText('Signed in again: Reject. Sent.').waitFor()
    expect(await send('GET', `/listings/${id}`, { token: agent.token })).toMatchObject({
      status: 'REJECTED',
      message: 'Every word of it',
    })
    await page.context().close()
  })

  it('a provider that cannot be reached refuses nothing: the decision is kept until it can', async () => {
    const id = await listingToDecide('The provider came back')
    const { page } = await reader({ isWatched: false })
    let isOver = true
    await page.route('**/moderate', (route) => (isOver ? route.fulfill({ status: 401 }) : route.continue()))
    await page.route('**/token', (route) => (isOver ? route.abort() : route.continue()))
    await publish(page, id)
    await stopTime(page, 9)
    await page.getByText('Not sent yet').waitFor()
    isOver = false
    await stopTime(page, 20)
    await page.getByText('The provider came back: Publish. Sent.').waitFor()
    await page.context().close()
  })

  it('a decision that needs a recent sign-in is sent after it', async () => {
    const banned = await person(send, 'Issa Ba')
    const { page } = await reader({ isWatched: false })
    let isOld = true
    const problem = { type: 'about:blank', title: 'x', status: 403, code: 'step_up_required', requestId: 'r' }
    await page.route(`**/admin/users/${banned.id}`, (route) =>
      isOld && route.request().method() === 'PATCH'
        ? route.fulfill({ status: 403, contentType: 'application/problem+json', json: problem })
        : route.continue(),
    )
    await readers.open(page, `people/${banned.id}`)
    await page.getByRole('button', { name: 'Ban' }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('This needs a recent sign-in.').waitFor()
    isOld = false
    await page.locator('.toasts').getByRole('button').last().click()
    await page.getByLabel('Name').fill('ann')
    await page.getByRole('button').click()
    await page.getByText('Issa Ba: Banned. Sent.').waitFor()
    expect(await send('GET', `/admin/users/${banned.id}`, { token: ann })).toMatchObject({ status: 'BANNED' })
    await page.context().close()
  })
})

describe('money that is held', () => {
  let listing: string
  let payer: Person

  beforeAll(async () => {
    listing = await listingToDecide('Paid for')
    await send('PATCH', `/listings/${listing}/moderate`, { token: ann, body: { status: 'PUBLISHED' } })
    payer = await person(send, 'Yaa Asantewaa')
  })

  const refundsOf = async (id: string) =>
    ((await send('GET', `/admin/payments/${id}`, { token: ann })) as { refunds?: { amount: number }[] })
      .refunds

  /** Orders a refund of a part of a payment by keys; it is held. */
  async function refund(page: Page, id: string): Promise<void> {
    await readers.open(page, `payments/${id}`)
    await page.getByLabel('Sum (XOF)').fill('20000')
    await page.keyboard.press('Enter')
    await page
      .getByText(/Yaa Asantewaa: Refund XOF\s20,000/)
      .first()
      .waitFor()
  }

  it('is not given back before its seconds are over, and Tab leads from its page to what takes it back', async () => {
    const id = await payment(send, payer, listing)
    const { page, sent } = await reader()
    await refund(page, id)
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.innerText')).toMatch(/^Undo/)
    await page.keyboard.press('Enter')
    await page.getByText('Undone').waitFor()
    expect(await page.getByLabel('Sum (XOF)').inputValue()).toBe('20000')
    expect([sent, await refundsOf(id)]).toEqual([[], []])
    await page.context().close()
  })

  it('is given back once where an answer was lost, the page was left, and the refund was taken back and made again', async () => {
    const id = await payment(send, payer, listing)
    const { page, sent } = await reader({ isWatched: false })
    await page.route('**/refunds', loseAnswer)
    await refund(page, id)
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Not sent yet').waitFor()
    await page.keyboard.press('z')
    await page.getByText('Not sent again').waitFor()
    await refund(page, id)
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Not sent yet').waitFor()
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'wait' })
    await page.goto(`${stack.url}/console`)
    await page.getByText(/Refund XOF\s20,000\. Sent\./).waitFor()
    expect(sent).toHaveLength(3)
    expect(await refundsOf(id)).toMatchObject([{ amount: 20_000 }])
    await page.context().close()
  })

  it('asks for a recent sign-in before it is held, however wrong the reader’s clock is', async () => {
    const id = await payment(send, payer, listing)
    const { page, sent } = await reader({ isWatched: false })
    await page.addInitScript(`document.addEventListener('readystatechange', () => {
      const settings = document.querySelector('meta[name=settings]')
      if (settings) settings.content = settings.content.replace(/("stepUpSeconds":)\\d+/, '$160')
    })`)
    await page.reload()
    await page.locator('#content').waitFor()
    await stopTime(page, 30)
    await refund(page, id)
    await page.keyboard.press('z')
    await page.getByText('Undone').waitFor()
    await stopTime(page, 200)
    await page.getByRole('button', { name: 'Refund' }).click()
    await page.getByText('asks for a recent sign-in').waitFor()
    expect(await page.getByRole('button', { name: 'Send now' }).count()).toBe(0)
    expect(sent).toEqual([])
    await page.context().close()
  })
})

describe('others', () => {
  it('what another administrator decided meanwhile is not overwritten, and what was typed leads back to it', async () => {
    const id = await listingToDecide('Decided by two')
    const { page } = await reader({ isWatched: false })
    await refuse(page, id, 'Typed by ann')
    await send('PATCH', `/listings/${id}/moderate`, { token: bob, body: { status: 'PUBLISHED' } })
    await stopTime(page, 9)
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('Nothing was overwritten').waitFor()
    await page.getByRole('button', { name: 'Suspend' }).click()
    expect(await page.getByLabel('Message').inputValue()).toBe('Typed by ann')
    expect(await listingStatus(id)).toBe('PUBLISHED')
    await page.context().close()
  })

  it('a report that came in meanwhile keeps all of them open', async () => {
    const id = await listingToDecide('Reported again')
    await send('PATCH', `/listings/${id}/moderate`, { token: bob, body: { status: 'PUBLISHED' } })
    const report = { reason: 'wrong_price', text: 'Too cheap' }
    const [one, other] = [await person(send, 'Kofi Mensah'), await person(send, 'Ama Owusu')]
    await send('POST', `/listings/${id}/reports`, { token: one.token, body: report })
    const { page } = await reader({ isWatched: false })
    await readers.open(page, `reports/${id}`)
    await page.getByRole('button', { name: /^Dismiss/ }).waitFor()
    await page.keyboard.press('d')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send now' }).waitFor()
    await send('POST', `/listings/${id}/reports`, { token: other.token, body: report })
    await stopTime(page, 9)
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByRole('button', { name: /^Dismiss/ }).click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText(/Sent\.$/).waitFor()
    const { items } = await send('GET', '/admin/reports', { token: ann })
    expect(JSON.stringify(items)).not.toContain(id)
    await page.context().close()
  })

  it('of two tabs one sends it, the other only once the first is gone', async () => {
    const id = await listingToDecide('Two tabs')
    const { page } = await reader({ isWatched: false })
    const other = await anotherTab(page.context())
    await publish(page, id)
    await cutOff(page)
    expect(await other.getByText('Two tabs: Publish').count()).toBe(0)
    expect(await listingStatus(id)).toBe('PENDING_REVIEW')
    await page.close()
    await other.getByText('Two tabs: Publish. Sent.').waitFor()
    expect(await listingStatus(id)).toBe('PUBLISHED')
    await other.context().close()
  })

  it('what one tab holds no tab offers, on its page or in its queue, until it is taken back', async () => {
    const [id, next] = [await listingToDecide('The same in two tabs'), await listingToDecide('Still waiting')]
    const { page } = await reader()
    const [queue, other] = [await anotherTab(page.context()), await anotherTab(page.context())]
    await readers.open(queue, 'listings')
    await readers.open(other, `listings/${id}`)
    await other.getByRole('button', { name: 'Publish' }).waitFor()
    await publish(page, id)
    await other.getByText('Decided in another tab').waitFor()
    expect(await other.getByRole('button', { name: 'Publish' }).count()).toBe(0)
    await readers.open(page, 'listings')
    for (const tab of [page, queue]) {
      await tab.getByRole('link', { name: 'Still waiting' }).waitFor()
      await expect.poll(() => tab.getByRole('link', { name: 'The same in two tabs' }).count()).toBe(0)
    }
    await page.keyboard.press('z')
    await other.getByRole('button', { name: 'Publish' }).waitFor()
    await queue.getByRole('link', { name: 'The same in two tabs' }).waitFor()
    await publish(page, id)
    await sendHeld(page, 'The same in two tabs: Publish')
    await other.getByRole('button', { name: 'Suspend' }).waitFor()
    expect([await listingStatus(id), await listingStatus(next)]).toEqual(['PUBLISHED', 'PENDING_REVIEW'])
    await page.context().close()
  })

  it('an identity is held as a listing is', async () => {
    const waiting = await person(send, 'Fatou Diallo', 'fr')
    await waitingAgent(send, waiting)
    const { page, sent } = await reader()
    await readers.open(page, `identities/${waiting.id}`)
    await page.getByText('Passport').waitFor()
    await page.keyboard.press('v')
    await page.keyboard.press('Enter')
    await page.getByText('Fatou Diallo: Verified 8 s').waitFor()
    await page.keyboard.press('z')
    await page.getByText('Undone').waitFor()
    expect(sent).toEqual([])
    await page.getByRole('button', { name: 'Decide' }).click()
    await page.reload()
    await page.getByText('Fatou Diallo: Verified. Sent.').waitFor()
    await eventually(async () => {
      const { kycStatus } = await send('GET', '/auth/kyc', { token: waiting.token })
      return kycStatus === 'VERIFIED' ? true : undefined
    })
    await page.context().close()
  })

  it('nothing of all this wrote an error to the console', () => {
    expect(readers.faults).toEqual([])
  })
})
