import { escapeHtml, type HtmlPage } from '#lib/kernel/html'
import type { ProblemAnswer } from './problem.ts'
import { pageHeaders } from './reply.ts'

/** Renders a problem as a page, for a reader with a browser: the endpoint's own page of the refusal, or a plain one. */
export function problemPage(
  { body, ...answer }: ProblemAnswer,
  { html, imageSource }: HtmlPage = plainPage(body),
): ProblemAnswer {
  const headers = { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(imageSource) }
  return { ...answer, headers: { ...answer.headers, ...headers }, body: html }
}

function plainPage(body: string): HtmlPage {
  const { title, detail, requestId }: Record<string, unknown> = JSON.parse(body)
  return {
    imageSource: null,
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 30rem; margin: 3rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; line-height: 1.3 }
</style>
<h1>${escaped(title)}</h1>
${detail === title ? '' : `<p>${escaped(detail)}</p>\n`}<p><small>${escaped(requestId)}</small></p>
</html>
`,
  }
}

const escaped = (text: unknown): string => escapeHtml(`${text}`)
