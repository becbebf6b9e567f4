import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/** A Chromium without a window, from the binary inside its package. */
export const openBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    // The sandbox needs rights that a container's root does not have; tests open pages of this repository only.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })

/** Whether pictures of pages are kept under `.build`, to be looked at: `PICTURES=on npx vitest run test/pages`. */
export const keepsPictures = process.env['PICTURES'] === 'on'
