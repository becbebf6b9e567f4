import * as z from 'zod'
import { endpoint } from '#lib/http/endpoint'
import { sendFile } from '#lib/http/packed-file'
import { content } from '#lib/http/reply'
import { docsFiles } from './docs-files.derived.ts'

export const { spec, handler } = endpoint({
  route: 'GET /docs/{file}',
  summary: 'A script or a style of the page of this document',
  description:
    'Named by a hash of its content and kept by caches for a year. The page at `GET /docs` links to its files.',
  access: 'public',
  input: { params: { file: z.string().max(200) } },
  output: { 200: content('text/javascript', 'text/css') },
  deps: {},
  run: ({ params }) => sendFile(docsFiles(), params.file),
})
