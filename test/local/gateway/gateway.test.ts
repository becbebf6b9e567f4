import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalFunctions, startFunctions } from '#lib/local/functions'
import { startGateway } from '#lib/local/gateway/gateway'
import { freePorts, type LocalServer } from '#lib/local/local-server'

let functions: LocalFunctions
let gateway: LocalServer
const logged: string[] = []

beforeAll(async () => {
  const [port, lambda] = await freePorts(2)
  functions = await startFunctions({
    ports: { functions: port, lambda },
    environment: { PATH: `${process.env['PATH']}`, TABLE_NAME: 'the local one' },
    root: join(import.meta.dirname, '../service'),
    onLog: (line) => logged.push(line),
  })
  gateway = await startGateway({
    port: 0,
    functionsPort: port,
    routes: [
      { method: 'GET', path: '/local/here', handle: (_, response, url) => void response.end(url.pathname) },
      {
        method: 'GET',
        path: '/local/broken',
        handle: () => {
          throw new Error('a secret of the inside')
        },
      },
    ],
  })
})

afterAll(async () => {
  await gateway.stop()
  await functions.stop()
})

describe('the functions', () => {
  it('do not start, and say which file is at fault, when one of them cannot be loaded', async () => {
    const [port, lambda] = await freePorts(2)
    const starting = startFunctions({
      ports: { functions: port, lambda },
      environment: { PATH: `${process.env['PATH']}`, TABLE_NAME: 'the local one', FAIL: 'functions/missing' },
      root: join(import.meta.dirname, '../service'),
      onLog: () => {},
    })
    await expect(starting).rejects.toThrow(/did not start.*functions\/missing/s)
  })

  it('do not start, and say which variable is wrong, when one of them would not start deployed', async () => {
    const [port, lambda] = await freePorts(2)
    const starting = startFunctions({
      ports: { functions: port, lambda },
      environment: { PATH: `${process.env['PATH']}`, TABLE_NAME: 'the local one', LOG_LEVEL: 'loud' },
      root: join(import.meta.dirname, '../service'),
      onLog: () => {},
    })
    await expect(starting).rejects.toThrow(/did not start.*LOG_LEVEL is not valid/s)
  })
})

type Sent = { headers?: Record<string, string | string[]>; body?: string | Buffer; from?: string }
type Answer = { status: number; headers: IncomingHttpHeaders; body: string }

/** Sends a request as it is spelt, which `fetch` would tidy. */
const send = (method: string, path: string, { headers = {}, body, from }: Sent = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port: gateway.port,
      method,
      path,
      headers,
      ...(from && { localAddress: from }),
    }
    httpRequest(options, async (response) =>
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }),
    )
      .on('error', reject)
      .end(body)
  })

const eventOf = ({ body }: Answer) => (JSON.parse(body) as { event: APIGatewayProxyEventV2 }).event

const received = async (contentType: string | undefined, body: string | Buffer) => {
  const headers = contentType === undefined ? {} : { 'content-type': contentType }
  const event = eventOf(await send('POST', '/things', { headers, body }))
  return [event.isBase64Encoded ? Buffer.from(event.body ?? '', 'base64') : event.body, event.isBase64Encoded]
}

describe('a body', () => {
  it.each([
    ['with its white space', '{ "a" :  1.0,\n "é": "\\u00e9 😀" }'],
    ['that is not JSON', '{"a":'],
    ['that is only false', 'false'],
    ['that is only null', 'null'],
    ['of JSON with a suffix', '{"a":1}'],
  ])('of JSON %s reaches the function unchanged', async (_, body) => {
    expect(await received('application/json; charset=utf-8', body)).toEqual([body, false])
  })

  it.each([
    ['of a form', 'application/x-www-form-urlencoded', 'a=1&b=%20'],
    ['in parts', 'multipart/form-data; boundary=x', Buffer.from([0, 255, 13, 10])],
    ['of JSON that is not UTF-8', 'application/json', Buffer.from([0x22, 0xff, 0x22])],
    ['of an odd type', 'abc', 'x'],
    ['without a type', undefined, '{"a":1}'],
  ])('%s reaches the function as base64', async (_, type, body) => {
    expect(await received(type, body)).toEqual([Buffer.from(body), true])
  })

  it('is not taken for JSON without a type', async () => {
    const event = eventOf(await send('POST', '/things', { body: '{"a":1}' }))

    expect(event.headers['content-type']).toBe('application/octet-stream')
  })

  it('reaches the function with a DELETE', async () => {
    // Node frames the body of a DELETE only when told its length.
    const headers = { 'content-type': 'application/json', 'content-length': '7' }

    expect(eventOf(await send('DELETE', '/things/1', { headers, body: '{"a":1}' })).body).toBe('{"a":1}')
  })

  it('above what the gateway takes is answered 413', async () => {
    const { status, body } = await send('POST', '/things', { body: Buffer.alloc(10 * 1024 * 1024 + 1) })

    expect([status, body]).toEqual([413, '{"message":"Request Entity Too Large"}'])
  })

  it('above what the gateway takes is answered 413 also without a length', async () => {
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    const { status, body } = await send('POST', '/things', {
      headers,
      body: Buffer.alloc(10 * 1024 * 1024 + 1),
    })

    expect([status, body]).toEqual([413, '{"message":"Request Entity Too Large"}'])
  })
})

describe('a route', () => {
  it.each([
    ['GET', '/things', 'GET /things', '/things'],
    ['GET', '/things/a%20b%2Fc?q=1', 'GET /things/{id}', '/things/a%20b%2Fc'],
    ['HEAD', '/things/', '$default', undefined],
    ['PUT', '/things', '$default', '/things'],
    ['OPTIONS', '/things', '$default', '/things'],
    ['GET', '/things/', '$default', '/things/'],
    ['GET', '/nothing', '$default', '/nothing'],
    ['GET', '/%', '$default', '/%25'],
    ['GET', '/things/%E0%A4%A', 'GET /things/{id}', '/things/%25E0%25A4%25A'],
  ])('is found for %s %s', async (method, path, routeKey, rawPath) => {
    const answer = await send(method, path)

    expect(answer.status).toBe(200)
    if (method === 'HEAD') return
    const { routeKey: found, requestContext, rawPath: at } = eventOf(answer)
    expect([found, requestContext.http.method, at]).toEqual([routeKey, method, rawPath])
  })

  it('has its parameters decoded', async () => {
    expect(eventOf(await send('GET', '/things/a%20b%2Fc')).pathParameters).toEqual({ id: 'a b/c' })
  })

  it('is not the same for HEAD and GET', async () => {
    const { headers, body } = await send('HEAD', '/things')

    expect([headers.etag, body]).toEqual(['"7"', ''])
  })
})

describe('a request', () => {
  it('keeps its headers, joined where they repeat', async () => {
    const headers = {
      origin: 'http://elsewhere',
      'if-none-match': '"7"',
      range: 'bytes=0-3',
      'x-some': ['a', 'b'],
    }
    const { status, headers: answered, body } = await send('GET', '/things', { headers })

    expect((JSON.parse(body) as { event: APIGatewayProxyEventV2 }).event.headers).toMatchObject({
      ...headers,
      'x-some': 'a, b',
    })
    expect([status, answered['access-control-allow-origin'], answered.etag]).toEqual([200, undefined, '"7"'])
  })

  it('is answered uncompressed, so that the ETag stays the one the function gave', async () => {
    const { headers } = await send('GET', '/things', { headers: { 'accept-encoding': 'gzip' } })

    expect([headers['content-encoding'], headers.etag, headers.vary]).toEqual([undefined, '"7"', undefined])
  })

  it('carries the loopback address it came from', async () => {
    expect(eventOf(await send('GET', '/things', { from: '127.9.8.7' })).requestContext.http.sourceIp).toBe(
      '127.9.8.7',
    )
  })

  it('finds the environment of the local stack, not what is deployed', async () => {
    expect(JSON.parse((await send('GET', '/things')).body)).toMatchObject({ table: 'the local one' })
  })

  it('to a function that throws is answered 500 without the inside, which is shown to the developer', async () => {
    const { status, body } = await send('GET', '/throws')

    expect([status, body]).toEqual([500, '{"message":"Internal Server Error"}'])
    expect(logged.join('\n')).toContain('a secret of the inside')
  })

  it('is answered 400 when it has no known form', async () => {
    const socket = connect(gateway.port, '127.0.0.1')
    socket.end('OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')

    expect(await text(socket)).toContain('HTTP/1.1 400')
  })
})

// A page elsewhere makes its own name resolve to 127.0.0.1 and asks for what only this machine may read.
describe('a host', () => {
  it.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:3000',
    '127.0.0.1.evil.example',
    '10.0.0.1',
  ])('that is not this machine is refused: %j', async (host) => {
    const answers = await Promise.all(
      ['/local/here', '/'].map((path) => send('GET', path, { headers: { host } })),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 403])
  })

  it.each(['localhost', 'LOCALHOST:3000', 'app.localhost:80', '127.0.0.1:1', '[::1]:3000'])(
    'is answered: %s',
    async (host) => {
      expect(await send('GET', '/local/here', { headers: { host } })).toMatchObject({ status: 200 })
    },
  )
})

describe('a route of the local stack', () => {
  it('may be called by pages of this machine alone', async () => {
    const allowed = async (origin: string) =>
      (await send('GET', '/local/here', { headers: { origin } })).headers['access-control-allow-origin']
    expect(await allowed('http://localhost:5173')).toBe('http://localhost:5173')
    expect(await allowed('https://localhost.evil.example')).toBeUndefined()
  })

  it('answers a preflight of a page of this machine with its methods', async () => {
    const headers = { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' }
    expect(await send('OPTIONS', '/local/here', { headers })).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': 'http://localhost:5173',
        'access-control-allow-methods': 'GET',
        'access-control-allow-headers': 'content-type',
      },
    })
  })

  it('answers for its path and below', async () => {
    const paths = ['/local/here', '/local/here/and/below?q=1']
    const answers = await Promise.all(paths.map((path) => send('GET', path)))

    expect(answers.map(({ body }) => body)).toEqual(['/local/here', '/local/here/and/below'])
  })

  it.each([
    ['GET', '/local/elsewhere', 404],
    ['POST', '/local/here', 404],
    ['GET', '/local/hereabouts', 404],
    ['GET', '/local/broken', 500],
  ])('answers %s %s with %i', async (method, path, status) => {
    expect((await send(method, path)).status).toBe(status)
  })
})

it('says so when the functions are gone', async () => {
  const [nobody] = await freePorts(1)
  const alone = await startGateway({ port: 0, functionsPort: nobody, routes: [] })

  expect((await fetch(`http://localhost:${alone.port}/things`)).status).toBe(502)
  await alone.stop()
})
