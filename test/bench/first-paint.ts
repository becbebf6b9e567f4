import { openBrowser } from '#test/support/browser'
import { startedStack } from '#test/support/started-stack'

// `npm run bench:first-paint`: the first contentful paint of the console, reloaded by an administrator whom the provider
// still knows, against a whole local stack. Never in `npm test`.

const PORT = 9_080
const RELOADS = 20

/** Resolves with the milliseconds between the page's request and its first paint: the entry may follow the content. */
const FIRST_PAINT = `new Promise((resolve) => {
  const note = (list) => list.getEntriesByName('first-contentful-paint').forEach(({ startTime }) => resolve(startTime))
  new PerformanceObserver(note).observe({ type: 'paint', buffered: true })
})`

const [stack, browser] = await Promise.all([startedStack(PORT, { demoData: false }), openBrowser()])
try {
  const page = await browser.newPage()
  await page.goto(`${stack.url}/console`)
  await page.getByLabel('Name').fill('ann')
  await page.getByRole('button').click()
  const paints: number[] = []
  for (let reload = 0; reload < RELOADS; reload++) {
    await page.locator('#content').waitFor()
    await page.reload()
    await page.locator('#content').waitFor()
    paints.push(Number(await page.evaluate(FIRST_PAINT)))
  }
  const sorted = paints.map(Math.round).sort((a, b) => a - b)
  console.log(`First contentful paint of ${RELOADS} reloads, in ms: ${sorted.join(' ')}`)
} finally {
  await browser.close()
  await stack.stop()
}
