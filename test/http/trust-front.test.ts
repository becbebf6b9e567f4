import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { endpoint } from '#lib/http/endpoint'
import { serve } from '#lib/http/serve'
import { hashAddress } from '#lib/http/stack/log-request'
import { httpEvent } from '#test/support/call'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'

const settings = {
  PUBLIC_URL: 'https://api.platform.test',
  CORS_ORIGINS: [],
  LOG_LEVEL: 'silent',
  STAGE: 'test',
  ORIGIN_SECRETS: ['the new secret', 'the old secret'],
}

const { spec } = endpoint({
  route: 'GET /health',
  summary: 'Says from where it was called',
  access: 'public',
  output: { 200: z.object({ ipAddress: z.string() }) },
  deps: {},
  run: ({ request }) => ({ status: 200, body: { ipAddress: request.ipAddress } }),
})

async function called(
  headers: Record<string, string>,
  secrets = settings.ORIGIN_SECRETS,
  domainName = 'x.execute-api.eu-west-1.amazonaws.com',
) {
  const event = httpEvent('GET /health', { headers, ipAddress: '198.51.100.1' })
  Object.assign(event.requestContext, { domainName })
  const deps = { settings: { ...settings, ORIGIN_SECRETS: secrets } }
  const answer = await serve(spec, deps)(event, LAMBDA_CONTEXT)
  return { status: answer.statusCode, ...JSON.parse(answer.body ?? '{}') }
}

const FRONT = '198.51.100.1'
const viewer = { 'cloudfront-viewer-address': '203.0.113.9:46532' }

describe('behind a front', () => {
  it.each(['the new secret', 'the old secret'])(
    'the caller’s address is the front’s word, beside %s',
    async (secret) => {
      expect(await called({ ...viewer, 'x-origin-secret': secret })).toEqual({
        status: 200,
        ipAddress: '203.0.113.9',
      })
    },
  )

  it.each([
    ['the newest secret,the new secret', 'the front has a newer one than the function'],
    ['the new secret,the old secret', 'both have both'],
  ])('%s passes while secrets rotate: %s', async (sent) => {
    expect(await called({ ...viewer, 'x-origin-secret': sent })).toMatchObject({ status: 200 })
  })

  it('more secrets than a front sends are not tried', async () => {
    const guesses = ['a', 'b', 'c', 'd', 'the new secret'].join(',')
    expect(await called({ ...viewer, 'x-origin-secret': guesses })).toMatchObject({ status: 403 })
  })

  it('an IPv6 address is read up to its port', async () => {
    const headers = { 'cloudfront-viewer-address': '2001:db8::7:46532', 'x-origin-secret': 'the new secret' }
    expect(await called(headers)).toMatchObject({ ipAddress: '2001:db8::7' })
  })

  it.each([{}, { 'x-origin-secret': '' }, { 'x-origin-secret': 'the new secret ' }])(
    'a request with %o did not pass it and is refused',
    async (headers) => {
      expect(await called({ ...viewer, ...headers })).toMatchObject({ status: 403, code: 'forbidden' })
    },
  )

  it('a function’s own address is called without it, and keeps the address of its connection', async () => {
    const own = 'abc.lambda-url.eu-west-1.on.aws'
    expect(await called(viewer, settings.ORIGIN_SECRETS, own)).toEqual({ status: 200, ipAddress: FRONT })
  })
})

/** The log line of a request with these headers, as text. */
async function lineOf(headers: Record<string, string>, secrets = settings.ORIGIN_SECRETS): Promise<string> {
  const lines: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(`${line}`) > 0)
  const loud = { ...settings, LOG_LEVEL: 'info', ORIGIN_SECRETS: secrets }
  const event = httpEvent('GET /health', { headers, ipAddress: FRONT })
  await serve(spec, { settings: loud })(event, LAMBDA_CONTEXT)
  write.mockRestore()
  return lines.join('')
}

describe('the log line of a request', () => {
  it('holds a keyed hash of the viewer’s address, and neither that address nor the front’s', async () => {
    const line = await lineOf({ ...viewer, 'x-origin-secret': 'the new secret' })
    expect(JSON.parse(line)).toMatchObject({
      status: 200,
      addressHash: hashAddress('203.0.113.9', ['the new secret']),
    })
    expect(line).not.toMatch(/203\.0\.113\.9|198\.51\.100\.1/)
  })

  it('holds the hash of who passed the front by, when it is refused', async () => {
    const line = await lineOf(viewer)
    const addressHash = hashAddress(FRONT, ['the new secret'])
    expect(JSON.parse(line)).toMatchObject({ status: 403, addressHash })
    expect(line).not.toMatch(/203\.0\.113\.9|198\.51\.100\.1/)
  })

  it('holds no hash where there is no key for it', async () => {
    expect(JSON.parse(await lineOf(viewer, []))).not.toHaveProperty('addressHash')
  })
})

it('The hash of an address is another under another key, as the operator’s book computes it.', () => {
  // printf 'address 203.0.113.9' | openssl dgst -sha256 -hmac 'the new secret'
  expect(hashAddress('203.0.113.9', ['the new secret'])).toBe('9ed05e7bb8b947bd')
  expect(hashAddress('203.0.113.9', ['the old secret'])).not.toBe('9ed05e7bb8b947bd')
})

it('a header says nothing about the caller’s address where no front is configured', async () => {
  expect(await called({ ...viewer, 'x-origin-secret': 'the new secret' }, [])).toEqual({
    status: 200,
    ipAddress: FRONT,
  })
})
