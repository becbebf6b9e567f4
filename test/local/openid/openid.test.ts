import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { localKeys } from '#lib/local/keys'
import { freePorts, type LocalServer } from '#lib/local/local-server'
import { startOpenid } from '#lib/local/openid/openid-server'

const publicUrl = 'http://localhost:3000'
const redirect = `${publicUrl}/console`
let directory: string
let issuer: string
let provider: LocalServer

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'openid-'))
  const [port] = await freePorts(1)
  issuer = `http://localhost:${port}`
  provider = await startOpenid({ port, issuer, publicUrl, keys: await localKeys(directory) })
})

afterAll(async () => {
  await provider.stop()
  await rm(directory, { recursive: true })
})

/** A browser, as far as signing in needs one: it keeps cookies, and follows redirects one by one. */
const browser = () => {
  const cookies = new Map<string, string>()
  return async (url: string | null, init: RequestInit = {}) => {
    const headers = { ...init.headers, cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }
    const response = await fetch(new URL(url ?? '', issuer), { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? []
      cookies.set(name, value)
    }
    return response
  }
}

const askForCode = (challenge: string) =>
  `/auth?${new URLSearchParams({
    client_id: 'platform-console',
    response_type: 'code',
    redirect_uri: redirect,
    scope: 'openid',
    state: 'here',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  })}`

it('signs an administrator in on the console’s page, by code and proof key', async () => {
  const visit = browser()
  const verifier = randomBytes(32).toString('base64url')
  const asked = await visit(askForCode(createHash('sha256').update(verifier).digest('base64url')))
  const page = await visit(asked.headers.get('location'))
  expect(await page.text()).toContain('<form method="post">')

  const entered = await visit(asked.headers.get('location'), {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ann' }),
  })
  const resumed = await visit(entered.headers.get('location'))
  const back = new URL(`${resumed.headers.get('location')}`)
  expect([back.origin + back.pathname, back.searchParams.get('state')]).toEqual([redirect, 'here'])

  const exchanged = await visit('/token', {
    method: 'POST',
    headers: { origin: publicUrl },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'platform-console',
      code: `${back.searchParams.get('code')}`,
      redirect_uri: redirect,
      code_verifier: verifier,
    }),
  })
  expect(exchanged.headers.get('access-control-allow-origin')).toBe(publicUrl)

  const { access_token: token } = (await exchanged.json()) as { access_token: string }
  const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(`${issuer}/jwks`)), {
    issuer,
    audience: 'platform-console',
    typ: 'at+jwt',
  })
  expect(payload).toMatchObject({ sub: 'Ann', client_id: 'platform-console', 'cognito:groups': ['admins'] })
})

it('asks for a proof key', async () => {
  const response = await browser()(askForCode(''))

  expect(response.headers.get('location')).toContain('error=invalid_request')
})

it('sends no code to another page', async () => {
  const link = askForCode('x'.repeat(43)).replace(
    encodeURIComponent(redirect),
    encodeURIComponent('http://evil.example'),
  )

  expect((await browser()(link)).status).toBe(400)
})

it('answers a sign-in that is no longer open', async () => {
  const response = await browser()('/login/gone', {
    method: 'POST',
    body: new URLSearchParams({ name: 'Ann' }),
  })

  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Start again')])
})
