import * as z from 'zod'
import { endpoint } from '#lib/http/endpoint'
import { sendFile } from '#lib/http/packed-file'
import { content } from '#lib/http/reply'
import { consoleFiles } from './console-files.derived.ts'

export const { spec, handler } = endpoint({
  route: 'GET /console/{file}',
  summary: 'A script or a style of the administrators’ page',
  description:
    'Named by a hash of its content and kept by caches for a year. The page at `GET /console` links to its files.',
  access: 'public',
  input: { params: { file: z.string().max(200) } },
  output: { 200: content('text/javascript', 'text/css') },
  deps: {},
  run: ({ params }) => sendFile(consoleFiles(), params.file),
})
