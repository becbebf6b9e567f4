import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { fetchKeys } from '#lib/http/fetch-keys'
import { serve } from '#lib/http/serve'
import { tokenVerifier } from '#lib/http/tokens'
import { platformToken } from '#test/support/given'

type Pair = { kid: string; jwk: JWK; sign: (claims?: object) => Promise<string> }

async function aKeyPair(kid: string, alg = 'ES256'): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return {
    kid,
    jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    sign: (claims = {}) =>
      new SignJWT({ sub: 'admin', ...claims })
        .setProtectedHeader({ alg, kid, typ: 'at+jwt' })
        .sign(privateKey),
  }
}

let one: Pair
let two: Pair

beforeAll(async () => {
  one = await aKeyPair('one')
  two = await aKeyPair('two')
})

const servers: Server[] = []

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

/** An issuer that publishes keys, and counts how often it is asked. */
async function anIssuer(answer: RequestListener | Pair[]) {
  const issuer = { asked: 0, uri: '', answer }
  const server = createServer((request, response) => {
    issuer.asked += 1
    if (typeof issuer.answer === 'function') return issuer.answer(request, response)
    response.end(JSON.stringify({ keys: issuer.answer.map(({ jwk }) => jwk) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  issuer.uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`
  return issuer
}

const header = ({ kid }: { kid: string }) => ({ alg: 'ES256', kid })
const noToken = { payload: '', signature: '' }

/** A key set at an address, and a clock that moves when it is told. */
const keysAt = (uri: string) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const keys = fetchKeys(uri)
  return {
    pass: (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds),
    find: (pair: { kid: string }) => keys(header(pair), noToken),
  }
}

describe('the keys of an issuer', () => {
  it('are asked for once, however many tokens come at the same moment and after it', async () => {
    const issuer = await anIssuer([one])
    const { find } = keysAt(issuer.uri)
    await Promise.all(Array.from({ length: 20 }, () => find(one)))
    await find(one)
    expect(issuer.asked).toBe(1)
  })

  it('are asked for again after ten minutes, so that a withdrawn key ends', async () => {
    const issuer = await anIssuer([one])
    const { pass, find } = keysAt(issuer.uri)
    await find(one)
    issuer.answer = [two]
    pass(10 * 60_000 - 1_000)
    await find(one)
    pass(1_000)
    await expect(find(one)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' })
    expect(issuer.asked).toBe(2)
  })

  it('are asked for again for a new key, so that keys rotate without signing anyone out', async () => {
    const issuer = await anIssuer([one])
    const { pass, find } = keysAt(issuer.uri)
    await find(one)
    issuer.answer = [one, two]
    pass(30_000)
    await find(two)
    await find(one)
    expect(issuer.asked).toBe(2)
  })

  // Attack: tokens that name keys at random, so that we ask the issuer for each until it refuses us.
  it('are asked for at most every thirty seconds, whatever keys are named', async () => {
    const issuer = await anIssuer([one])
    const { pass, find } = keysAt(issuer.uri)
    await find(one)
    for (let count = 0; count < 50; count += 1) {
      pass(1_000)
      await expect(find({ kid: `made-up-${count}` })).rejects.toMatchObject({
        code: 'ERR_JWKS_NO_MATCHING_KEY',
      })
    }
    expect(issuer.asked).toBeLessThanOrEqual(3)
  })

  it('stay good while the issuer does not answer', async () => {
    const issuer = await anIssuer([one])
    const { pass, find } = keysAt(issuer.uri)
    await find(one)
    issuer.answer = (_request, response) => response.writeHead(500).end()
    pass(11 * 60_000)
    await find(one)
    expect(issuer.asked).toBe(2)
  })

  it.each<[string, RequestListener]>([
    ['an error', (_request, response) => response.writeHead(500).end('{}')],
    [
      'a redirection',
      (_request, response) => response.writeHead(302, { location: 'https://evil.example' }).end(),
    ],
    ['no JSON', (_request, response) => response.end('<html>')],
    ['no keys', (_request, response) => response.end('{}')],
    ['a list', (_request, response) => response.end('[]')],
    ['null', (_request, response) => response.end('null')],
    ['far too much', (_request, response) => response.end(`{"keys": [${' '.repeat(100_000)}]}`)],
    [
      'half an answer',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"keys"')
        response.destroy()
      },
    ],
  ])(
    'that answers %s at first are unavailable, and asked for again by the next token',
    async (_what, answer) => {
      const issuer = await anIssuer(answer)
      const { find } = keysAt(issuer.uri)
      await expect(find(one)).rejects.toMatchObject({ code: 'unavailable' })
      issuer.answer = [one]
      await find(one)
      expect(issuer.asked).toBe(2)
    },
  )

  it('keys that cannot be reached are unavailable', async () => {
    const { uri } = await anIssuer([one])
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
    await expect(keysAt(uri).find(one)).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('the verifier', () => {
  const now = () => new Date()
  const claims = {
    iss: 'https://console.platform.test',
    aud: 'platform-console',
    exp: 4_000_000_000,
    'cognito:groups': ['admins'],
  }

  /** A verifier whose console publishes its keys at an address. */
  const verifierFor = (uri: string) => {
    const { CONSOLE_JWKS: inline } = process.env
    Object.assign(process.env, { CONSOLE_JWKS: '', CONSOLE_JWKS_URI: uri })
    try {
      return tokenVerifier.make()
    } finally {
      Object.assign(process.env, { CONSOLE_JWKS: inline, CONSOLE_JWKS_URI: '' })
    }
  }

  it('stops the cold start of a function where the console’s own client is configured as a machine', () => {
    const { CONSOLE_MACHINES: machines, CONSOLE_AUDIENCE: ownClient = '' } = process.env
    const ownMachine = JSON.stringify({ 'machine-books': ['payments'], [ownClient]: ['payments'] })
    process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'getProfile'
    try {
      expect(() => serve(getProfile)).not.toThrow()
      process.env['CONSOLE_MACHINES'] = ownMachine
      expect(() => serve(getProfile)).toThrow(
        "Configuration: CONSOLE_MACHINES names the console's own client",
      )
    } finally {
      delete process.env['AWS_LAMBDA_FUNCTION_NAME']
      process.env['CONSOLE_MACHINES'] = machines
    }
  })

  it('asks nobody for a token of an unknown issuer, or for one of ours', async () => {
    const issuer = await anIssuer([one])
    const verify = verifierFor(issuer.uri)
    await expect(
      verify(await one.sign({ ...claims, iss: 'https://evil.example' }), now),
    ).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    await expect(verify(await platformToken({ sub: 'x', sid: 'x' }), now)).rejects.toMatchObject({
      code: 'unauthenticated',
    })
    expect(issuer.asked).toBe(0)
    expect(await verify(await one.sign(claims), now)).toMatchObject({
      kind: 'console',
      subject: expect.any(String),
    })
    expect(issuer.asked).toBe(1)
  })

  it.each(['RS256', 'PS256', 'ES256', 'EdDSA'])('takes a console token signed %s', async (alg) => {
    const pair = await aKeyPair('any', alg)
    const verify = verifierFor((await anIssuer([pair])).uri)
    expect(await verify(await pair.sign(claims), now)).toMatchObject({ kind: 'console', subject: 'admin' })
  })

  it.each(['RS384', 'PS512', 'ES384'])('refuses a console token signed %s', async (alg) => {
    const pair = await aKeyPair('any', alg)
    const verify = verifierFor((await anIssuer([pair])).uri)
    await expect(verify(await pair.sign(claims), now)).rejects.toMatchObject({ code: 'unauthenticated' })
  })

  it('forgives a console whose clock is five seconds off, at the beginning of a token as at its end', async () => {
    const seconds = Math.floor(Date.now() / 1000)
    const still = () => new Date(seconds * 1000)
    const verify = verifierFor((await anIssuer([one])).uri)
    const outcome = async (dates: { nbf?: number; exp?: number }) =>
      verify(await one.sign({ ...claims, ...dates }), still).then(
        () => 'good',
        ({ code }) => code,
      )
    expect(await outcome({ nbf: seconds + 5 })).toBe('good')
    expect(await outcome({ nbf: seconds + 6 })).toBe('unauthenticated')
    expect(await outcome({ exp: seconds - 4 })).toBe('good')
    expect(await outcome({ exp: seconds - 5 })).toBe('unauthenticated')
  })

  it('says unavailable, not unauthenticated, when the console’s keys cannot be had', async () => {
    const issuer = await anIssuer((_request, response) => response.writeHead(500).end())
    const verify = verifierFor(issuer.uri)
    await expect(verify(await one.sign(claims), now)).rejects.toMatchObject({ code: 'unavailable' })
  })
})
