import { PROBLEMS } from '#lib/http/problems'
import type { ProblemCode } from '#lib/kernel/domain-error'
import { escapeHtml } from '#lib/kernel/html'
import type { ApiDocument } from './document.ts'
import type { Guide } from './guide-list.ts'
import { htmlOf, inlineHtmlOf, samplesHtml } from './markdown.ts'
import { type Operation, operationsOf, webhooksOf } from './operations.ts'
import { EXPLANATIONS } from './problems/explanations.ts'

/** The hashed names of the files that the page links to. */
type PageFiles = { script: string; style: string }

type PageParts = { document: ApiDocument; guides: readonly Guide[]; files: PageFiles }

/**
 * Makes the page of the API: guides, problems and every operation, each a section with an id of its own. It reads as one long
 * page without script; the script shows one section at a time, and a viewer in the sections of operations.
 */
export function docsPage({ document, guides, files }: PageParts): string {
  const operations = operationsOf(document)
  const webhooks = webhooksOf(document)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(document.info.title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/${files.style}">
<script type="module" src="/docs/${files.script}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header>
<button type="button" id="menu" aria-expanded="false" aria-controls="contents">Menu</button>
<a class="brand" href="/docs">${escapeHtml(document.info.title)} <span>${escapeHtml(document.info.version)}</span></a>
<button type="button" id="account" aria-haspopup="dialog">Sign in</button>
</header>
<nav id="contents" aria-label="Contents">${contents(document, guides, operations, webhooks)}</nav>
<main id="content" tabindex="-1">
${guides.map(guideView).join('\n')}
${problemsView()}
${[...operations, ...webhooks].map(operationView).join('\n')}
</main>
${SIGN_IN}
</body>
</html>
`
}

function contents(
  { tags }: ApiDocument,
  guides: readonly Guide[],
  operations: readonly Operation[],
  webhooks: readonly Operation[],
): string {
  const groups = tags.map(({ name }) =>
    group(
      name,
      operations.filter(({ tag }) => tag === name),
    ),
  )
  return `<label class="find">Find <input id="find" type="search" placeholder="a route, a word, a code" autocomplete="off"></label>
<p class="none" id="none" hidden>Nothing is found.</p>
<h2>Guides</h2>
<ul>${guideLinks(guides.filter(({ isForOperators }) => !isForOperators))}${link('problems', 'Problems')}</ul>
<h2>For operators</h2>
<ul>${guideLinks(guides.filter(({ isForOperators }) => isForOperators))}</ul>
<h2>Reference</h2>
${groups.join('\n')}
${group('Webhooks', webhooks)}
<h2>Problems</h2>
<details><summary>By code</summary><ul>${codes()
    .map((code) => link(code, `<code>${code}</code>`))
    .join('')}</ul></details>`
}

/** The links of a group. A webhook has no callers: the service sends it, and its link shows the event. */
const group = (name: string, operations: readonly Operation[]): string =>
  `<details><summary>${escapeHtml(name)}</summary><ul>${operations
    .map(({ id, method, path, summary, callers }) =>
      callers === null
        ? link(id, `<code>${escapeHtml(path)}</code>`)
        : link(id, `<span>${escapeHtml(summary)}</span> <small>${method} ${escapeHtml(path)}</small>`),
    )
    .join('')}</ul></details>`

const link = (id: string, html: string): string => `<li><a href="#${id}">${html}</a></li>`

const guideLinks = (guides: readonly Guide[]): string =>
  guides.map(({ id, title }) => link(id, escapeHtml(title))).join('')

const guideView = ({ id, title, markdown }: Guide): string =>
  `<article data-view id="${id}" data-words="${WORDS[id] ?? ''}"><h1>${escapeHtml(title)}</h1>
${/\bnpm (run|start|ci|test)\b/.test(markdown) ? IN_FOLDER : ''}<div class="prose">${htmlOf(markdown, id)}</div></article>`

const IN_FOLDER =
  '<p class="tag">Commands that begin with <code>npm</code> run in the folder of the service’s repository.</p>\n'

/** Further words for the page's search: those that readers look for and the guide does not use. */
const WORDS: Readonly<Record<string, string>> = {
  money: 'cents pence minor units decimals exponent currency',
  errors: 'rate limit throttling retry 409 429 conflict',
  webhooks: 'verify a webhook signature',
  idempotency: 'retry twice duplicate',
  pagination: 'page list cursor next',
  'signing-in': 'login token bearer',
  'typed-client': 'sdk generate typescript',
}

const codes = (): ProblemCode[] => Object.keys(EXPLANATIONS) as ProblemCode[]

const problemsView = (): string =>
  `<article data-view id="problems"><h1>Problems</h1>
<div class="prose"><p>Every refusal is a problem document (RFC 9457) with one of these codes. The guide <a href="#errors">Errors</a> shows how to handle them.</p></div>
${codes().map(problemSection).join('\n')}</article>`

function problemSection(code: ProblemCode): string {
  const [status, title] = PROBLEMS[code]
  const { when, remedy } = EXPLANATIONS[code]
  return `<section class="problem" id="${code}" data-words="${status === 429 ? 'rate limit' : ''}"><h2><a class="anchor" href="#${code}"><code>${code}</code></a> <small>${status}</small></h2>
<dl><dt>Means</dt><dd>${escapeHtml(title)}.</dd><dt>When</dt><dd>${inlineHtmlOf(when)}</dd><dt>What to do</dt><dd>${inlineHtmlOf(remedy)}</dd></dl></section>`
}

const operationView = (operation: Operation): string => {
  const { id, method, path, tag, summary, description, callers, samples, words } = operation
  const isWebhook = callers === null
  return `<section data-view data-operation${isWebhook ? ' data-webhook' : ''} id="${id}" data-words="${escapeHtml(words)}"><p class="tag">${isWebhook ? 'Webhook' : escapeHtml(tag)}</p><h1>${escapeHtml(summary)}</h1>
<p class="route"><b class="method">${isWebhook ? 'sent by' : ''} ${method}</b> <code>${escapeHtml(path)}</code></p>
${callers === null ? '' : `<p class="callers">Called by ${escapeHtml(callers)}.</p>`}
<div class="prose">${htmlOf(description, id)}</div>
${samples ? samplesHtml(samples) : ''}<div class="viewer"></div></section>`
}

const SIGN_IN = `<dialog id="sign-in" aria-labelledby="sign-in-title">
<form method="dialog">
<h2 id="sign-in-title">Sign in</h2>
<p>Requests that you try from this page are sent with this token. The page forgets it when it is closed or reloaded.</p>
<p id="local-accounts" hidden></p>
<p><label for="token">Access token</label><textarea id="token" rows="4" spellcheck="false" autocomplete="off"></textarea></p>
<p class="actions"><button type="submit" value="use">Use this token</button> <button type="submit" value="out">Sign out</button> <button type="submit" value="cancel">Cancel</button></p>
<p id="sign-in-failed" role="alert"></p>
</form>
</dialog>`
