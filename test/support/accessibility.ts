import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** A rule of axe-core that a page breaks, how badly, and where. */
export type Finding = { rule: string; impact: string; nodes: string[] }

/** What axe-core finds on a page as it is shown, the rules of WCAG 2.2 AA and best practices. */
export async function accessibilityFindings(page: Page): Promise<Finding[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ exclude: [['iframe']] }, { resultTypes: ['violations'] })
    return violations.map(({ id, impact, nodes }) => ({
      rule: id,
      impact: impact ?? 'minor',
      nodes: nodes.map(({ html }) => html.slice(0, 300)),
    }))
  })
  return violations
}

/**
 * The same, with the elements of a selector out of the document meanwhile, none of which is shown: axe-core finds nothing
 * in them, but reads them first, which on a page of many sections takes most of its time.
 */
export async function findingsWithout(page: Page, hidden: string): Promise<Finding[]> {
  await page.evaluate(`globalThis.putBack = [...document.querySelectorAll('${hidden}')].map((element) => {
    if (element.checkVisibility()) throw new Error('It is shown: ' + element.id)
    const place = document.createComment('')
    element.replaceWith(place)
    return () => place.replaceWith(element)
  })`)
  const findings = await accessibilityFindings(page)
  await page.evaluate('globalThis.putBack.forEach((back) => back())')
  return findings
}
