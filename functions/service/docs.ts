import { DOCS_POLICY } from '#lib/docs/policy'
import { endpoint } from '#lib/http/endpoint'
import { sendPage } from '#lib/http/packed-file'
import { content } from '#lib/http/reply'
import { docsPage } from './docs-files.derived.ts'

export const { spec, handler } = endpoint({
  route: 'GET /docs',
  summary: 'This document as a page for people',
  description:
    'Guides, every operation to read and try, and every problem: `/docs#validation_failed` explains that code, ' +
    '`/docs#createListing` shows the operation of that id.',
  access: 'public',
  output: { 200: content('text/html; charset=utf-8') },
  deps: {},
  run: async () => sendPage(await docsPage(), DOCS_POLICY),
})
