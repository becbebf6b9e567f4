import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { redrive } from '#lib/deploy/redrive'
import { type LocalServer, listenLocally } from '#lib/local/local-server'
import { type LocalS3, startS3 } from '#lib/local/s3/s3-server'

const credentials = { accessKeyId: 'LOCALTEST', secretAccessKey: 'a secret of this test' }
const FAILURES = 'trial-failures'
const QUEUES = [
  'platform-api-prod-mailer',
  'platform-api-prod-mailer-dead',
  'platform-api-prod-eu-mailer-dead',
]

let directory: string
let s3: LocalS3
let objects: S3Client
let aws: LocalServer
let moved: string[]
let invoked: string[]

const Sent = z.object({ QueueUrl: z.string().optional(), SourceArn: z.string().optional() })

/** Answers as SQS and Lambda do, with three queues of two stages, and a function that is no longer there. */
async function answer(target: string, path: string, sent: unknown): Promise<[number, object]> {
  if (target.endsWith('ListQueues'))
    return [200, { QueueUrls: QUEUES.map((name) => `http://localhost/1/${name}`) }]
  const { QueueUrl = '', SourceArn = '' } = Sent.parse(sent)
  if (target.endsWith('GetQueueAttributes'))
    return [200, { Attributes: { QueueArn: QueueUrl, ApproximateNumberOfMessages: '1' } }]
  if (target.endsWith('StartMessageMoveTask')) {
    moved.push(SourceArn.split('/').at(-1) ?? '')
    return [200, {}]
  }
  const name = path.split('/')[3] ?? ''
  if (name.endsWith('removed')) return [404, { Type: 'User', Message: 'Function not found' }]
  invoked.push(name)
  return [200, {}]
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'redrive-'))
  s3 = await startS3({ directory, credentials, buckets: { media: FAILURES, documents: 'trial-documents' } })
  objects = new S3Client({ region: 'eu-west-1', endpoint: s3.endpoint, forcePathStyle: true, credentials })
  aws = await listenLocally(0, async (request, response) => {
    const [status, body] = await answer(
      `${request.headers['x-amz-target']}`,
      request.url ?? '',
      await json(request),
    )
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})

afterAll(async () => {
  objects.destroy()
  await Promise.all([aws.stop(), s3.stop()])
  await rm(directory, { recursive: true })
})

const put = (Key: string, Body: string) => objects.send(new PutObjectCommand({ Bucket: FAILURES, Key, Body }))

const kept = async () =>
  (await objects.send(new ListObjectsV2Command({ Bucket: FAILURES }))).Contents?.map(({ Key }) => Key)

async function retried() {
  ;[moved, invoked] = [[], []]
  const reported: string[] = []
  const where = { region: 'eu-west-1', endpoint: `http://localhost:${aws.port}`, credentials }
  const clients = { sqs: new SQSClient(where), lambda: new LambdaClient(where), s3: objects }
  const stack = { stackName: 'platform-api-prod', failuresBucket: FAILURES }
  return { isDone: await redrive(clients, stack, (line) => reported.push(line)), reported }
}

describe('an event that was given up', () => {
  it('goes back to the queues of its stage, and not to those of a stage whose name begins the same', async () => {
    expect(await retried()).toMatchObject({ isDone: true })
    expect(moved).toEqual(['platform-api-prod-mailer-dead'])
  })

  it('is retried after an event that cannot be read and one whose function is gone, which are kept', async () => {
    const functionArn = 'arn:aws:lambda:eu-west-1:1:function:platform-api-prod-removed:$LATEST'
    await put('a', '{"cut')
    await put('b', JSON.stringify({ requestContext: { functionArn }, requestPayload: {} }))
    await put('c', JSON.stringify({ payload: '{"Records":[]}' }))
    const { isDone, reported } = await retried()
    expect([isDone, invoked, await kept()]).toEqual([
      false,
      ['platform-api-prod-dispatchChanges'],
      ['a', 'b'],
    ])
    expect(reported.slice(1)).toEqual([
      expect.stringMatching(/^a: .*kept/),
      expect.stringMatching(/^b: .*not found.*kept/i),
      'dispatchChanges: done',
    ])
  })
})
