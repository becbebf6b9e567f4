import chromium from '@sparticuz/chromium'
import { type Browser, type Page, chromium as playwright } from 'playwright-core'

/** A Chromium without a window, from the binary inside its package. */
export const openBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    // The sandbox needs rights that a container's root does not have; tests open pages of this repository only.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })

/** Gives a page an authenticator of its own, which holds passkeys and agrees to whatever it is asked. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Whether pictures of pages are kept under `.build`, to be looked at: `PICTURES=on npx vitest run test/pages`. */
export const keepsPictures = process.env['PICTURES'] === 'on'
