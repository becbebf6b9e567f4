import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { portsFrom } from '#lib/local/ports'
import { accessibilityFindings } from '#test/support/accessibility'
import { keepsPictures } from '#test/support/browser'

const SCREENSHOTS = join(import.meta.dirname, '../../.build/console')

/** People who read the console of a stack, each in a browser context of their own. */
export type Readers = {
  /** A page on which somebody has signed in; `isWatched` notes whatever no page may do. */
  signedIn: (
    name: string,
    options?: Parameters<Browser['newContext']>[0],
    isWatched?: boolean,
  ) => Promise<Page>
  /** Shows a page of the console by its address. */
  open: (page: Page, hash: string) => Promise<void>
  /** What no page may do: errors on its console, and requests to other origins than the stack's. */
  faults: string[]
}

/** The readers of the console of a stack on a port. */
export function readersOf(browser: Browser, port: number): Readers {
  const { gateway, openid, s3, media } = portsFrom(port)
  const ours = [gateway, openid, s3, media].map(String)
  const url = `http://localhost:${port}`
  const faults: string[] = []

  function watch(context: BrowserContext, page: Page): void {
    page.on(
      'console',
      (message) => message.type() === 'error' && faults.push(`${message.text()} ${message.location().url}`),
    )
    page.on('pageerror', ({ message }) => faults.push(message))
    context.on('request', (request) => {
      const { protocol, port: asked } = new URL(request.url())
      if (!['data:', 'blob:'].includes(protocol) && !ours.includes(asked)) faults.push(request.url())
    })
  }

  return {
    signedIn: async (name, options = {}, isWatched = true) => {
      const context = await browser.newContext({
        locale: 'en-GB',
        viewport: { width: 1440, height: 900 },
        ...options,
      })
      context.setDefaultTimeout(20_000)
      const page = await context.newPage()
      if (isWatched) watch(context, page)
      await page.goto(`${url}/console`)
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button').click()
      await page.locator('#content, main [role=alert]').waitFor()
      return page
    },
    open: async (page, hash) => {
      await page.goto(`${url}/console#/${hash}`)
      await page.locator('main h1').first().waitFor()
      // The page before may still have been there. One frame later its keys are gone, and those of this page are heard.
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))')
    },
    faults,
  }
}

/** Sends the decision that a page holds, without its seconds, and waits until the page says that it has arrived. */
export async function sendHeld(page: Page, what: string): Promise<void> {
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByText(`${what}. Sent.`).waitFor()
}

/** What is wrong with a page as it is shown: its width, a stranger's script that ran, and broken rules of accessibility. */
export async function findingsOn(
  page: Page,
  hash: string,
  schemes: readonly ('light' | 'dark')[],
): Promise<string[]> {
  await expect.poll(() => page.locator('.skeleton').count(), { timeout: 15_000 }).toBe(0)
  const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  // The window's name holds what strangers typed: a script of theirs would make it this word alone.
  const isOwned = (await page.title()) === 'owned' || (await page.locator('[onerror]').count()) > 0
  const broken: string[] = []
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    for (const { rule, nodes } of await accessibilityFindings(page))
      broken.push(`${hash} ${colorScheme} ${rule} ${nodes.join(' ')}`)
  }
  return [
    ...(isWide ? [`${hash} is wider than the window`] : []),
    ...(isOwned ? [`${hash} ran a stranger’s script`] : []),
    ...broken,
  ]
}

/** Keeps a picture of a page where pictures are kept. */
export async function keepPicture(page: Page, hash: string, look: string): Promise<void> {
  if (!keepsPictures) return
  await mkdir(SCREENSHOTS, { recursive: true })
  const name = `${hash.replace(/_[^?]*/, '').replace(/\W/g, '-')}-${look}.png`
  await page.screenshot({ path: join(SCREENSHOTS, name), fullPage: true })
}
