import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '#test/support/browser'
import { type StartedStack, startedStack } from '#test/support/started-stack'
import {
  clientOf,
  eventually,
  HOSTILE,
  type Person,
  person,
  waitingAgent,
  waitingListing,
} from './marketplace.ts'
import { type Readers, readersOf, sendHeld } from './reader.ts'

const PORT = 17_300 + (process.pid % 4_000)
const WIDTHS = [320, 360, 768, 999, 1000, 1024, 1200, 1366, 1440]

const TITLES = {
  revised: 'Penthouse with a view of the bay and of the bridge',
  waiting: 'Three-room flat above the lagoon, with a terrace',
  long: 'A very long title, which an agent wrote because titles may be as long as this one and longer still',
  arabic: 'شقة مفروشة للإيجار قرب الجامعة',
}

let stack: StartedStack
let browser: Browser
let readers: Readers
let send: ReturnType<typeof clientOf>
let ann: string
let agent: Person
let waiting: Person
let listing: string

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startedStack(PORT, { demoData: false }), openBrowser()])
  readers = readersOf(browser, PORT)
  send = clientOf(stack.url)
  ann = (await stack.run('npm run --silent token -- --sub ann')).trim()
  ;[agent, waiting] = await Promise.all([person(send, 'Moussa Traoré'), person(send, 'Fatou Diallo', 'fr')])
  await Promise.all([waitingAgent(send, agent), waitingAgent(send, waiting)])
  await send('PATCH', '/auth/kyc', { token: ann, body: { userId: agent.id, kycStatus: 'VERIFIED' } })
  const revised = await waitingListing(send, agent, TITLES.revised)
  await send('PATCH', `/listings/${revised}/moderate`, { token: ann, body: { status: 'PUBLISHED' } })
  await send('PATCH', `/listings/${revised}`, { token: agent.token, body: { title: 'A penthouse' } })
  listing = await waitingListing(send, agent, TITLES.waiting)
  for (const title of [TITLES.long, TITLES.arabic, HOSTILE]) await waitingListing(send, agent, title)
}, 120_000)

afterAll(async () => {
  await browser?.close()
  await stack?.stop()
})

/** How far a page reaches beyond the window, its cut cells that do not say by a title what they hold, and its tags out of sight. */
const GEOMETRY = `(() => {
  const cut = (cell) => [cell, ...cell.querySelectorAll('.cell')].some((one) =>
    one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight + 1)
  const shown = [...document.querySelectorAll('.table td > .cell')].filter((cell) => cell.offsetParent)
  return {
    over: document.documentElement.scrollWidth - innerWidth,
    untitled: shown.filter((cell) => cut(cell) && cell.title !== cell.innerText).map((cell) => cell.innerText),
    outside: [...document.querySelectorAll('.table .tag')]
      .filter((tag) => tag.getBoundingClientRect().right > tag.closest('.cell').getBoundingClientRect().right).length,
  }
})()`

/** How many letters of a row's title are seen, of those that its cell holds. */
const seenLetters = (page: Page, title: string): Promise<number> =>
  page.evaluate(`(() => {
    const title = [...document.querySelectorAll('.table bdi')].find((one) => one.textContent === ${JSON.stringify(title)})
    const cell = title.closest('.cell').getBoundingClientRect()
    const range = document.createRange()
    return [...title.textContent].filter((_, letter) => {
      range.setStart(title.firstChild, letter)
      range.setEnd(title.firstChild, letter + 1)
      const { left, right, bottom } = range.getBoundingClientRect()
      return left >= cell.left - 1 && right <= cell.right + 1 && bottom <= cell.bottom + 1
    }).length
  })()`)

describe('queues', () => {
  it('the moderation queue shows whole titles at 1440 pixels, and at 360 enough of them to tell listings apart', async () => {
    const page = await readers.signedIn('ann')
    await readers.open(page, 'listings')
    await page.getByText('Revision', { exact: true }).waitFor()
    for (const title of Object.values(TITLES)) expect(await seenLetters(page, title)).toBe(title.length)
    await page.setViewportSize({ width: 360, height: 800 })
    for (const title of Object.values(TITLES))
      await expect.poll(() => seenLetters(page, title)).toBeGreaterThan(Math.min(20, title.length - 1))
    await page.context().close()
  })

  it('a queue never scrolls sideways, keeps its tags in sight, and says by a title what it cuts', async () => {
    const page = await readers.signedIn('ann')
    for (const hash of ['listings', 'identities', 'people', 'journal', 'events']) {
      await readers.open(page, hash)
      await page.getByRole('table').waitFor()
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 })
        await expect
          .poll(() => page.evaluate(GEOMETRY), { message: `${hash} at ${width} pixels` })
          .toEqual({ over: 0, untitled: [], outside: 0 })
      }
    }
    await page.context().close()
  })

  it('the menu folds below 1000 pixels', async () => {
    const page = await readers.signedIn('ann', { viewport: { width: 999, height: 800 } })
    const link = page.getByRole('navigation').getByRole('link', { name: 'Listings' })
    expect(await link.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    expect(await link.isVisible()).toBe(true)
    await link.click()
    await page.setViewportSize({ width: 1000, height: 800 })
    expect(await page.getByRole('button', { name: 'Menu' }).isVisible()).toBe(false)
    expect(await link.isVisible()).toBe(true)
    await page.context().close()
  })
})

/** The windows in which a decision is made without scrolling. */
const WINDOWS = [
  [1440, 900],
  [1366, 768],
  [1024, 768],
  [768, 1024],
  [360, 800],
  [320, 640],
] as const

/** The buttons of the decision that cannot be pressed where they are: out of the window, or under something else. */
const UNREACHABLE = `[...document.querySelectorAll('.verdicts button')].filter((button) => {
  const { left, right, top, bottom } = button.getBoundingClientRect()
  const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight
  return !isInside || document.elementFromPoint((left + right) / 2, (top + bottom) / 2).closest('button') !== button
}).map((button) => button.innerText)`

/** Presses keys one after another and returns how many. */
async function press(page: Page, ...keys: string[]): Promise<number> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  return keys.length
}

describe('the decision bar', () => {
  it('the buttons of a decision are in sight without scrolling, also once reasons are asked for', async () => {
    const page = await readers.signedIn('ann')
    for (const hash of [`identities/${waiting.id}`, `listings/${listing}`])
      for (const [width, height] of WINDOWS) {
        await page.setViewportSize({ width, height })
        await readers.open(page, hash)
        await page.locator('.verdicts button').first().waitFor()
        await expect
          .poll(() => page.evaluate(UNREACHABLE), { message: `${hash} at ${width} pixels` })
          .toEqual([])
        expect(await page.evaluate('scrollY')).toBe(0)
        await page.keyboard.press('x')
        await page.getByRole('checkbox').first().waitFor()
        await expect.poll(() => page.evaluate(UNREACHABLE)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
        await page.evaluate('sessionStorage.clear()')
        await page.reload()
        await page.locator('.verdicts button').first().waitFor()
      }
    await page.context().close()
  })

  it('reasons are asked for once Reject is chosen, answer to digits while they have the focus, and lead to no refusal without any', async () => {
    const page = await readers.signedIn('ann')
    let sent = 0
    await page.route('**/moderate', (route) => {
      sent += 1
      return route.abort()
    })
    await readers.open(page, `listings/${listing}`)
    const reasons = page.getByRole('group', { name: 'Reasons' })
    await page.getByRole('button', { name: 'Reject' }).waitFor()
    expect(await reasons.count()).toBe(0)
    await press(page, 'x')
    const first = reasons.getByRole('checkbox').first()
    await expect.poll(() => first.evaluate('document.activeElement.type')).toBe('checkbox')
    await press(page, 'Enter')
    await page.getByText('Choose a reason, or write a message.').waitFor()
    await press(page, '4', '5', '4')
    expect(await reasons.getByRole('checkbox', { checked: true }).count()).toBe(1)
    expect(await page.getByLabel('The location is wrong').isChecked()).toBe(true)
    await press(page, 'i', 'i')
    expect(await page.getByLabel('Message').inputValue()).toBe('The location is wrong.')
    await press(page, '?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('The price is wrong').waitFor()
    expect(sent).toBe(0)
    await page.context().close()
  })

  it('a message that was written for a refusal goes with no consent, and is there again for a refusal', async () => {
    const page = await readers.signedIn('ann')
    const sent: { message: string | null }[] = []
    await page.route(/moderate|auth.kyc/, (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      sent.push(route.request().postDataJSON())
      return route.fulfill({ json: {} })
    })
    await readers.open(page, `listings/${listing}`)
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByLabel('Message').fill('This cannot be published')
    await page.getByRole('button', { name: 'Publish' }).click()
    await sendHeld(page, 'Publish')
    await readers.open(page, `identities/${waiting.id}`)
    const message = page.getByLabel('Message')
    await message.fill('Hello')
    await page.getByLabel('Status').selectOption('REJECTED')
    expect(await message.inputValue()).toBe('Hello')
    await message.fill('This is somebody else')
    await page.getByLabel('Status').selectOption('VERIFIED')
    expect(await message.inputValue()).toBe('Hello')
    await page.getByLabel('Status').selectOption('REJECTED')
    expect(await message.inputValue()).toBe('This is somebody else')
    await page.getByLabel('Status').selectOption('VERIFIED')
    await page.getByRole('button', { name: 'Decide' }).click()
    await sendHeld(page, 'Verified')
    expect(sent.map((body) => body.message)).toEqual([null, 'Hello'])
    await page.unrouteAll({ behavior: 'wait' })
    await page.context().close()
  })

  it('a picture of a document fits its stage, upright and on its side', async () => {
    const page = await readers.signedIn('ann')
    await readers.open(page, `identities/${waiting.id}`)
    const picture = page.getByRole('img', { name: 'Passport' })
    const fits = `(() => {
      const [picture, stage] = ['.stage img', '.stage'].map((one) => document.querySelector(one).getBoundingClientRect())
      return ['left', 'top'].every((side) => picture[side] >= stage[side]) &&
        ['right', 'bottom'].every((side) => picture[side] <= stage[side] + 1)
    })()`
    await picture.waitFor()
    for (const [width, height] of WINDOWS) {
      await page.setViewportSize({ width, height })
      for (let turns = 0; turns < 4; turns++) {
        await expect
          .poll(() => page.evaluate(fits), { message: `${width} pixels, ${turns} turns` })
          .toBe(true)
        await page.getByRole('button', { name: 'Turn' }).first().click()
      }
    }
    await page.context().close()
  })

  it('a refusal with one reason and its sentence takes at most six keys', async () => {
    const page = await readers.signedIn('ann')
    await readers.open(page, `identities/${waiting.id}`)
    await page.getByText('Passport').waitFor()
    const keys = await press(page, 'x', '2', 'i', 'Enter')
    await sendHeld(page, 'Fatou Diallo: Rejected')
    expect(keys).toBeLessThanOrEqual(6)
    const kyc = (await eventually(async () => {
      const now = (await send('GET', '/auth/kyc', { token: waiting.token })) as { kycStatus?: string }
      return now.kycStatus === 'REJECTED' ? now : undefined
    })) as unknown
    expect(kyc).toMatchObject({
      reasons: ['document_unreadable'],
      message: expect.stringMatching(/^Le document.*\.$/),
    })
    await page.context().close()
  })
})
