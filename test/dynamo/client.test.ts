import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { connect } from '#lib/dynamo/client'
import { TABLE_WRITES } from '#lib/dynamo/table'
import { testTable } from '#test/support/test-table'

const servers: Server[] = []

/** Starts a stand-in for DynamoDB and returns a client of it. */
async function clientOf(listener: RequestListener, settings: DynamoDBClientConfig = {}) {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return connect({ ...settings, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

/** Answers each request with the next of these, and with the last one from then on. */
async function answeringInTurn(...answers: readonly { status: number; body: string }[]) {
  const operations: string[] = []
  const client = await clientOf((request, response) => {
    const { status, body } = answers[Math.min(operations.length, answers.length - 1)] ?? {
      status: 500,
      body: '',
    }
    operations.push(String(request.headers['x-amz-target']))
    request.resume()
    response.writeHead(status).end(body)
  })
  return { operations, client }
}

const refusal = (type: string) =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'No' })

afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

const GET = { TableName: 'any', Key: {} }

describe('a request to DynamoDB', () => {
  it.each([
    ['is throttled', 400, refusal('ThrottlingException'), 'ThrottlingException'],
    ['meets a fault of DynamoDB', 500, refusal('InternalServerError'), 'InternalServerError'],
  ])('that %s is sent four times', async (_what, status, body, name) => {
    const { operations, client } = await answeringInTurn({ status, body })
    await expect(client.send('GetItem', GET)).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: status, attempts: 4 },
    })
    expect(operations).toEqual(Array(4).fill('DynamoDB_20120810.GetItem'))
  })

  it('that loses its connection is sent four times', async () => {
    let sent = 0
    const client = await clientOf((request) => {
      sent += 1
      request.socket.destroy()
    })
    await expect(client.send('GetItem', GET)).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(sent).toBe(4)
  })

  it('that is throttled once is answered by its second attempt', async () => {
    const throttled = { status: 400, body: refusal('ThrottlingException') }
    const { client } = await answeringInTurn(throttled, { status: 200, body: '{"Item":{"a":{"N":"1"}}}' })
    expect(await client.send('GetItem', GET)).toMatchObject({ Item: { a: { N: '1' } } })
  })

  it('that is refused is sent once', async () => {
    const { operations, client } = await answeringInTurn({
      status: 400,
      body: refusal('ConditionalCheckFailedException'),
    })
    await expect(client.send('GetItem', GET)).rejects.toMatchObject({ $metadata: { attempts: 1 } })
    expect(operations).toHaveLength(1)
  })

  it('that is never answered ends in Lambda with a time-out', async () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'any')
    const client = await clientOf(() => undefined, { maxAttempts: 1 })
    await expect(client.send('GetItem', GET)).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('that waits for its connection in a busy process is sent once outside Lambda', async () => {
    const client = await clientOf((_request, response) => void response.end('{}'))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const answer = client.send('GetItem', GET)
    // Ten seconds in which the process does not come to look at its sockets.
    for (let tick = 0; tick < 100; tick += 1) {
      await new Promise<void>((resolve) => process.nextTick(resolve))
      vi.advanceTimersByTime(100)
    }
    vi.useRealTimers()
    await expect(answer).resolves.toMatchObject({ $metadata: { attempts: 1 } })
  })

  it('is signed with the credentials that the environment has at that time', async () => {
    const signatures: string[] = []
    const client = await clientOf((request, response) => {
      signatures.push(String(request.headers.authorization))
      response.end('{}')
    })
    for (const key of ['AKIDFIRST', 'AKIDSECOND']) {
      vi.stubEnv('AWS_ACCESS_KEY_ID', key)
      await client.send('GetItem', GET)
    }
    expect(signatures).toEqual([
      expect.stringContaining('Credential=AKIDFIRST/'),
      expect.stringContaining('Credential=AKIDSECOND/'),
    ])
  })
})

describe('bytes', () => {
  it('are stored as such, alone, in a buffer, in a set and under any name', async () => {
    const table = testTable()
    const bytes = new Uint8Array([0, 127, 128, 255])
    const item = {
      pk: 'BYTES',
      sk: 'TEST',
      bytes,
      B: [bytes],
      BS: { B: 'text', S: '"B":"AAEC"' },
      set: new Set([bytes]),
    }
    await table.commit([TABLE_WRITES.put({ ...item, buffer: Buffer.from(bytes), none: new Uint8Array() })])
    expect(await table.get({ pk: 'BYTES', sk: 'TEST' })).toEqual({
      ...item,
      buffer: bytes,
      none: new Uint8Array(),
    })
  })
})
