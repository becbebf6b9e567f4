import type { ProblemAnswer } from './problem.ts'
import { PAGE_HEADERS } from './reply.ts'

/** A problem as a plain page, for the browser of somebody who opened a page and not a client of the API. */
export function problemPage({ body, ...answer }: ProblemAnswer): ProblemAnswer {
  const { title, detail, requestId }: Record<string, unknown> = JSON.parse(body)
  return {
    ...answer,
    headers: { ...answer.headers, 'content-type': 'text/html; charset=utf-8', ...PAGE_HEADERS },
    body: `<!doctype html>
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

const escaped = (text: unknown): string => `${text}`.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
