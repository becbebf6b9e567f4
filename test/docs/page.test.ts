import { brotliDecompressSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { spec as docs } from '#functions/service/docs'
import { spec as docsFile } from '#functions/service/docs-file'
import { docsFiles } from '#functions/service/docs-files.derived'
import { openApiDocument } from '#functions/service/specs.derived'
import { readDocument } from '#lib/docs/document'
import { operationsOf, webhooksOf } from '#lib/docs/operations'
import { PROBLEMS } from '#lib/http/problems'
import { call } from '#test/support/call'

let page: Awaited<ReturnType<typeof call>>
let ids: string[]

beforeAll(async () => {
  page = await call(docs)
  ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)
})

const linked = () => [...page.text.matchAll(/"\/docs\/([\w.-]+)"/g)].map(([, name = '']) => name)

describe('GET /docs', () => {
  it('runs and is styled by its own files only, and is framed by nobody', () => {
    expect(page.status).toBe(200)
    const policy = page.headers['content-security-policy'] ?? ''
    expect(policy).not.toContain('unsafe')
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy.split('; ')).toContain(part)
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
    })
    expect(page.text).not.toMatch(/<script(?! type="module" src="\/docs\/)|<style|\son\w+=|\sstyle=/)
  })

  it('ignores a query that it does not know', async () => {
    expect((await call(docs, { query: { from: 'a-mail' } })).status).toBe(200)
  })

  it('has a place of its own for every problem, every operation and every webhook', async () => {
    const document = readDocument(await openApiDocument())
    const wanted = [
      ...Object.keys(PROBLEMS),
      ...[...operationsOf(document), ...webhooksOf(document)].map(({ id }) => id),
    ]
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('links within itself only to what is there', () => {
    const wanted = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id)
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
  })
})

describe('GET /docs/{file}', () => {
  it('answers the files that the page links to, for a year', async () => {
    expect(linked()).toHaveLength(2)
    for (const file of linked()) {
      const { status, headers } = await call(docsFile, { params: { file } })
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  it('holds the viewer apart from the page, so that guides and problems come without it', () => {
    const sizes = Object.entries(docsFiles()).map(([name, { brotliBase64 }]) => ({
      name: name.replace(/-.*/, ''),
      bytes: brotliDecompressSync(Buffer.from(brotliBase64, 'base64')).length,
    }))
    expect(sizes.find(({ name }) => name === 'main')?.bytes).toBeLessThan(10_000)
    expect(sizes.find(({ name }) => name === 'viewer')?.bytes).toBeGreaterThan(1_000_000)
  })

  it('is a 404 problem for any other name', async () => {
    for (const file of ['main.js', '__proto__', 'constructor', '..%2Fpackage.json'])
      expect((await call(docsFile, { params: { file } })).status).toBe(404)
  })
})
