import type { ProblemCode } from '#lib/kernel/domain-error'
import { escapeHtml, type HtmlPage } from '#lib/kernel/html'
import { type PageSetting, page } from './page.ts'
import { pageWordsIn } from './words/words-in.ts'

/** Makes the page of a link that could not be opened, with what the reader can do by the problem's code. */
export function refusedPage(
  setting: PageSetting,
  code: ProblemCode,
  advice: Partial<Record<ProblemCode, string>>,
): HtmlPage {
  const { gone, failed } = pageWordsIn(setting.locale)
  return page(setting, { title: gone.title, content: `<p>${escapeHtml(advice[code] ?? failed)}</p>` })
}
