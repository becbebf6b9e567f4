/** The page of the API document and its files. The build runs each export once and replaces it by its result. */

import { readDocument } from '#lib/docs/document'
import { readGuides } from '#lib/docs/guide-list'
import { docsPage as pageOf } from '#lib/docs/page'
import { packPage, packSite, type Site } from '#lib/http/pack-site'
import type { PackedFile } from '#lib/http/packed-file'
import { openApiDocument } from './specs.derived.ts'

let built: Site | undefined
let page: Promise<PackedFile> | undefined

const site = (): Site => {
  built ??= packSite({
    entryPoints: ['lib/docs/browser/main.ts', 'lib/docs/browser/style.css'],
    servedAt: '/docs',
  })
  return built
}

/** Returns every file that the page links to, by its hashed name. */
export const docsFiles = () => site().files

/** The page, made once. */
export const docsPage = () => {
  page ??= makePage()
  return page
}

async function makePage(): Promise<PackedFile> {
  const { names } = site()
  const files = { script: names['main.ts'] ?? '', style: names['style.css'] ?? '' }
  const document = readDocument(await openApiDocument())
  return packPage(pageOf({ document, guides: readGuides(), files }))
}
