import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { webhookPoster } from '#lib/webhooks/post-webhook.https'
import { isReachable } from '#lib/webhooks/reachable-address'

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** An endpoint on this machine, and its port. */
async function endpoint(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  stops.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const LOOPBACK = { address: '127.0.0.1', family: 4 }
const onThisMachine = {
  resolve: async () => [LOOPBACK],
  isAllowed: () => true,
  now: () => performance.now(),
  headTimeoutMilliseconds: 300,
}
const post = (url: string, network = {}) =>
  webhookPoster({ ...onThisMachine, ...network })({
    url,
    headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    body: '{"é":1}',
  })

describe('a webhook', () => {
  it('is posted with its headers and its body, and the answer is kept', async () => {
    const received: unknown[] = []
    const port = await endpoint((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        received.push([
          request.method,
          request.url,
          request.headers['webhook-id'],
          `${Buffer.concat(chunks)}`,
        ])
        response.writeHead(202).end('taken')
      })
    })
    expect(await post(`http://receiver.example:${port}/hooks?a=b`)).toMatchObject({
      status: 202,
      answer: 'taken',
      error: null,
    })
    expect(received).toEqual([['POST', '/hooks?a=b', 'evt_1', '{"é":1}']])
  })

  it('follows no redirect', async () => {
    let visits = 0
    const inner = await endpoint((_request, response) => {
      visits += 1
      response.end()
    })
    const port = await endpoint((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inner}/` }).end(),
    )
    expect(await post(`http://receiver.example:${port}/`)).toMatchObject({ status: 302 })
    expect(visits).toBe(0)
  })

  it('reads no more than 1 KiB of an endless answer', async () => {
    const port = await endpoint((_request, response) => {
      const write = () => {
        if (!response.destroyed) response.write('x'.repeat(700), () => setImmediate(write))
      }
      write()
    })
    const { status, answer } = await post(`http://receiver.example:${port}/`)
    expect([status, answer?.length]).toEqual([200, 1024])
  })

  it('is cut before a character that 1 KiB of the answer would cut', async () => {
    const port = await endpoint((_request, response) => void response.end(`a${'é'.repeat(1024)}`))
    const { answer } = await post(`http://receiver.example:${port}/`)
    expect(answer).toBe(`a${'é'.repeat(511)}`)
  })

  it('is given up when the head of the answer does not come in time', async () => {
    const port = await endpoint(() => undefined)
    expect(await post(`http://receiver.example:${port}/`)).toMatchObject({ status: null, error: 'timed_out' })
  })

  it('ends when the endpoint answers that it changes the protocol', async () => {
    const server = createTcpServer((socket) => {
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'),
      )
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    stops.push(() => server.close())
    const { port } = server.address() as AddressInfo
    expect(await post(`http://receiver.example:${port}/`)).toMatchObject({ status: 101, error: null })
  })

  it('is given up when the name is not looked up in time', async () => {
    const resolve = () => new Promise<never>(() => undefined)
    expect(await post('https://receiver.example/', { resolve })).toMatchObject({ error: 'timed_out' })
  })

  it.each([
    ['a name that leads to this machine', 'https://receiver.example/', [LOOPBACK]],
    [
      'a name of which one address is inside',
      'https://receiver.example/',
      [{ address: '8.8.8.8', family: 4 }, LOOPBACK],
    ],
    ['the metadata service', 'http://169.254.169.254/latest/meta-data', []],
    ['an inner IPv6 address', 'https://[::ffff:10.0.0.1]/', []],
    ['an address written as a number', 'https://2130706433/', []],
    ['an address written in hex', 'https://0x7f.1/', []],
  ])('is not sent to %s', async (_what, url, addresses) => {
    const answer = await post(url, { resolve: async () => addresses, isAllowed: isReachable })
    expect(answer).toMatchObject({ status: null, error: 'address_not_allowed' })
  })

  it('goes to the address that was checked, whatever the name leads to afterwards', async () => {
    const port = await endpoint((_request, response) => response.end('checked'))
    const answers = [[LOOPBACK], [{ address: '192.0.2.1', family: 4 }]]
    const resolve = async () => answers.shift() ?? []
    expect(await post(`http://receiver.example:${port}/`, { resolve })).toMatchObject({ answer: 'checked' })
    expect(answers).toHaveLength(1)
  })

  it.each([
    ['name_not_found', 'https://receiver.example/', async () => []],
    [
      'name_not_found',
      'https://receiver.example/',
      () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })),
    ],
    ['connection_failed', 'http://receiver.example:1/', async () => [LOOPBACK]],
  ])('says %s', async (error, url, resolve) => {
    expect(await post(url, { resolve })).toMatchObject({ status: null, error })
  })
})
