import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '#test/support/browser'
import { type StartedStack, startedStack } from '#test/support/started-stack'
import { clientOf, HOSTILE, type Person, person, waitingAgent, waitingListing } from './marketplace.ts'
import { type Readers, readersOf } from './reader.ts'

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

beforeAll(async () => {
  ;[stack, browser] = await Promise.all([startedStack(PORT, { demoData: false }), openBrowser()])
  readers = readersOf(browser, PORT)
  send = clientOf(stack.url)
  ann = (await stack.run('npm run --silent token -- --sub ann')).trim()
  agent = await person(send, 'Moussa Traoré')
  await waitingAgent(send, agent)
  await send('PATCH', '/auth/kyc', { token: ann, body: { userId: agent.id, kycStatus: 'VERIFIED' } })
  const revised = await waitingListing(send, agent, TITLES.revised)
  await send('PATCH', `/listings/${revised}/moderate`, { token: ann, body: { status: 'PUBLISHED' } })
  await send('PATCH', `/listings/${revised}`, { token: agent.token, body: { title: 'A penthouse' } })
  for (const title of [TITLES.waiting, TITLES.long, TITLES.arabic, HOSTILE])
    await waitingListing(send, agent, title)
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
