import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { dynamoAccess } from '#lib/config'
import { connect } from '#lib/dynamo/client'
import { post, signedHeaders } from '#lib/dynamo/request'
import { openTable } from '#lib/dynamo/table'

const AT = '20261123T180000Z'

const servers: Server[] = []

/** Another DynamoDB, which answers as it is told. */
async function answering(listener: RequestListener) {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { ...dynamoAccess(), endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Answers each request with the next of these, and the last again and again. */
async function answeringInTurn(...answers: readonly { status: number; body: string }[]) {
  const asked: string[] = []
  const access = await answering((request, response) => {
    const { status, body } = answers[Math.min(asked.length, answers.length - 1)] ?? { status: 500, body: '' }
    asked.push(String(request.headers['x-amz-target']))
    request.resume()
    response.writeHead(status).end(body)
  })
  return { asked, client: connect(() => access) }
}

const refusal = (type: string, more: object = {}) =>
  JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'No', ...more })

afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

describe('a signature', () => {
  it.each([
    ['the credentials of a role', 'a/session+token=='],
    ['lasting credentials', undefined],
  ])('is the one that the SDK makes, with %s', async (_which, sessionToken) => {
    const credentials = {
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG',
      ...(sessionToken !== undefined && { sessionToken }),
    }
    const access = { endpoint: 'https://dynamodb.eu-west-1.amazonaws.com', region: 'eu-west-1', credentials }
    const body = '{"TableName":"Élan"}'
    const ours = signedHeaders('GetItem', body, access, AT)
    const client = new DynamoDBClient({ region: 'eu-west-1', credentials })
    const signer = await client.config.signer({
      name: 'sigv4',
      signingName: 'dynamodb',
      signingRegion: 'eu-west-1',
      properties: {},
    })
    const signed = await signer.sign(
      {
        method: 'POST',
        protocol: 'https:',
        hostname: 'dynamodb.eu-west-1.amazonaws.com',
        path: '/',
        query: {},
        headers: {
          host: 'dynamodb.eu-west-1.amazonaws.com',
          'content-type': 'application/x-amz-json-1.0',
          'content-length': `${Buffer.byteLength(body)}`,
          'x-amz-target': 'DynamoDB_20120810.GetItem',
        },
        body,
      },
      {
        signingDate: new Date('2026-11-23T18:00:00Z'),
        // Beside the body's hash, which is signed anyway, S3 alone needs it as a header.
        unsignableHeaders: new Set(['x-amz-content-sha256']),
      },
    )
    expect(ours['Authorization']).toBe(signed.headers['authorization'])
    expect(ours['X-Amz-Security-Token']).toBe(sessionToken)
  })

  it.each([
    ['eu-west-1', 'https://dynamodb.eu-west-1.amazonaws.com'],
    ['cn-north-1', 'https://dynamodb.cn-north-1.amazonaws.com.cn'],
  ])('is made for the address of the region %s, where none is set', (region, endpoint) => {
    vi.stubEnv('AWS_REGION', region)
    vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', undefined)
    vi.stubEnv('AWS_SESSION_TOKEN', 'token')
    expect(dynamoAccess()).toMatchObject({ endpoint, region, credentials: { sessionToken: 'token' } })
  })
})

describe('an attempt', () => {
  it.each([
    ['is throttled', 400, refusal('ThrottlingException'), 'ThrottlingException'],
    ['is too many', 400, refusal('ProvisionedThroughputExceededException'), 'ProvisionedThroughputExceeded'],
    ['meets a fault of DynamoDB', 500, refusal('InternalServerError'), 'InternalServerError'],
    ['is answered by what stands before DynamoDB', 503, '<html>', 'InternalServerError'],
  ])('that %s is one of four', async (_what, status, body, name) => {
    const { asked, client } = await answeringInTurn({ status, body })
    const sent = client.send('GetItem', { TableName: 'any', Key: {} })
    await expect(sent).rejects.toMatchObject({
      name: expect.stringContaining(name),
      $metadata: { httpStatusCode: status, attempts: 4 },
    })
    expect(asked).toEqual(Array(4).fill('DynamoDB_20120810.GetItem'))
  })

  it('that loses its connection is one of four', async () => {
    let asked = 0
    const access = await answering((request) => {
      asked += 1
      request.socket.destroy()
    })
    const sent = connect(() => access).send('GetItem', { TableName: 'any', Key: {} })
    await expect(sent).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(asked).toBe(4)
  })

  it('after one that was throttled answers as the first would have', async () => {
    const throttled = { status: 400, body: refusal('ThrottlingException') }
    const { client } = await answeringInTurn(throttled, { status: 200, body: '{"Item":{"a":{"N":"1"}}}' })
    expect(await client.send('GetItem', { TableName: 'any', Key: {} })).toEqual({ Item: { a: { N: '1' } } })
  })

  it('that is refused is the only one, and says which item refused it', async () => {
    const Item = { pk: { S: 'A' }, bytes: { B: 'AAEC' } }
    const body = refusal('ConditionalCheckFailedException', { Item })
    const { asked, client } = await answeringInTurn({ status: 400, body })
    await expect(client.send('PutItem', { TableName: 'any', Item: {} })).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'No',
      Item: { pk: { S: 'A' }, bytes: { B: new Uint8Array([0, 1, 2]) } },
      $metadata: { httpStatusCode: 400, attempts: 1 },
    })
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['its message alone', '{"Message":"Denied"}', 'Denied'],
    ['an empty object', '{}', 'UnknownError'],
    ['no JSON', 'Bad Request', 'UnknownError'],
  ])('that is refused with %s has no name of DynamoDB', async (_what, body, message) => {
    const { client } = await answeringInTurn({ status: 400, body })
    const sent = client.send('GetItem', { TableName: 'any', Key: {} })
    await expect(sent).rejects.toMatchObject({ name: 'UnknownError', message })
  })

  it.each<[string, RequestListener]>([
    ['with nothing', () => undefined],
    ['with a part', (_request, response) => void response.writeHead(200).write('{')],
  ])('that is answered %s ends when its time is over', async (_what, listener) => {
    const timeOuts = { connectionMilliseconds: 5_000, answerMilliseconds: 50 }
    await expect(post('GetItem', '{}', await answering(listener), timeOuts)).rejects.toMatchObject({
      name: 'TimeoutError',
    })
  })

  it('that is answered with a part loses its connection', async () => {
    const access = await answering((request, response) => {
      response.writeHead(200, { 'content-length': 2 }).write('{', () => request.socket.destroy())
    })
    await expect(post('GetItem', '{}', access)).rejects.toMatchObject({ code: 'ECONNRESET' })
  })

  it('has no limit of its time outside Lambda', async () => {
    const access = await answering((_request, response) => setTimeout(() => response.end('{}'), 100))
    expect(await post('GetItem', '{}', access)).toEqual({ status: 200, text: '{}' })
  })
})

describe('bytes', () => {
  it('are stored as such, alone, in a buffer, in a set and under any name', async () => {
    const table = openTable(process.env['TABLE_NAME'] ?? '')
    const bytes = new Uint8Array([0, 127, 128, 255])
    const item = {
      pk: 'BYTES',
      sk: 'TEST',
      bytes,
      B: [bytes],
      BS: { B: 'text', S: '"B":"AAEC"' },
      set: new Set([bytes]),
    }
    await table.commit([{ put: { ...item, buffer: Buffer.from(bytes), none: new Uint8Array() } }])
    expect(await table.get({ pk: 'BYTES', sk: 'TEST' })).toEqual({
      ...item,
      buffer: bytes,
      none: new Uint8Array(),
    })
  })
})
