import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { spec as consolePage } from '#functions/service/console'
import { spec as consoleFile } from '#functions/service/console-file'
import { consoleFiles } from '#functions/service/console-files.derived'
import { serve } from '#lib/http/serve'
import { call, httpEvent } from '#test/support/call'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'

const ENDPOINTS = {
  authorization_endpoint: 'https://sign-in.platform.test/authorize',
  token_endpoint: 'https://sign-in.platform.test/token',
}
const page = (endpoints: () => Promise<unknown> = async () => ENDPOINTS) =>
  call(consolePage, { deps: { endpoints } })

const linked = (html: string) => [...html.matchAll(/\/console\/([\w.-]+)"/g)].map(([, name = '']) => name)

const raw = (file: string, encoding?: string) =>
  serve(consoleFile)(
    httpEvent('GET /console/{file}', { params: { file }, headers: { 'accept-encoding': encoding } }),
    LAMBDA_CONTEXT,
  )

describe('GET /console', () => {
  it('runs its own scripts only, makes none of text, and is framed by nobody', async () => {
    const { status, headers } = await page()
    const policy = headers['content-security-policy'] ?? ''
    expect(status).toBe(200)
    expect(policy).not.toContain('unsafe')
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "connect-src 'self' https://sign-in.platform.test",
    ])
      expect(policy.split('; ')).toContain(part)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  })

  it('comes without its sign-in while the OpenID provider does not answer', async () => {
    const { status, headers, text } = await page(async () => undefined)
    expect([status, text.includes('authorize')]).toEqual([200, false])
    expect(headers['content-security-policy']).toContain("connect-src 'self';")
  })

  it('says which group holds which role, so that the page shows what its reader may do, how old a sign-in may be, and which product it is', async () => {
    const groups = { claim: 'groups', all: 'staff', roles: { payments: 'cashiers' } }
    const product = { name: 'Harbour & Sons', colour: '#0a7d5a', stage: 'prod' }
    const settings = {
      publicUrl: 'https://api.platform.test',
      clientId: 'console',
      product,
      mediaOrigins: [],
      groups,
      stepUpSeconds: 900,
    }
    const deps = { endpoints: async () => undefined, page: settings }
    const { text } = await call(consolePage, { deps })
    const [, content = ''] = /<meta name="settings" content="([^"]+)">/.exec(text) ?? []
    expect(JSON.parse(content.replaceAll('&quot;', '"'))).toMatchObject({
      groups,
      stepUpSeconds: 900,
      product: { ...product, name: 'Harbour &amp; Sons' },
    })
    expect(text).toContain('<title>Harbour &amp; Sons</title>')
  })

  it('ignores a query that it does not know', async () => {
    expect(
      (await call(consolePage, { query: { code: 'x' }, deps: { endpoints: async () => ENDPOINTS } })).status,
    ).toBe(200)
  })
})

describe('GET /console/{file}', () => {
  it('answers the files that the page links to, for a year', async () => {
    const names = linked((await page()).text)
    expect(names).toHaveLength(2)
    for (const name of names) {
      const { status, headers } = await call(consoleFile, { params: { file: name } })
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  it('is the same in every coding', async () => {
    const [name = ''] = linked((await page()).text).filter((file) => file.endsWith('.js'))
    const [br, gzip, plain] = await Promise.all([raw(name, 'gzip, br'), raw(name, 'gzip'), raw(name)])
    const bytes = ({ body = '' }: { body?: string | undefined }) => Buffer.from(body, 'base64')
    expect([br, gzip, plain].map((answer) => answer?.headers?.['content-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
    ])
    expect([br, gzip, plain].map((answer) => answer?.headers?.['vary'])).toEqual(
      Array(3).fill('Origin, Accept-Encoding'),
    )
    expect(brotliDecompressSync(bytes(br ?? {}))).toEqual(bytes(plain ?? {}))
    expect(gunzipSync(bytes(gzip ?? {}))).toEqual(bytes(plain ?? {}))
  })

  it('is a 404 for any other name', async () => {
    for (const file of ['main.js', 'constructor', '..%2Fmain.tsx', '']) {
      expect((await call(consoleFile, { params: { file } })).status).toBe(404)
    }
  })

  it('has less than 100 kB of script, compressed', () => {
    const scripts = Object.values(consoleFiles()).filter(({ contentType }) =>
      contentType.includes('javascript'),
    )
    const bytes = scripts.reduce(
      (sum, { brotliBase64 }) => sum + Buffer.byteLength(brotliBase64, 'base64'),
      0,
    )
    expect(bytes).toBeLessThan(100_000)
  })
})
