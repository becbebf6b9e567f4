import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { DynamoDBRecord, S3Event, SQSRecord } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTable, type LocalDynamo, localDynamoClient, startDynamo } from '#lib/local/dynamodb'
import { startJobs } from '#lib/local/events/jobs'
import { QUEUES_PATH } from '#lib/local/events/sqs'
import { type LocalFunctions, startFunctions } from '#lib/local/functions'
import { type LocalRoute, startGateway } from '#lib/local/gateway/gateway'
import { freePorts, type LocalServer } from '#lib/local/local-server'
import { type LocalS3, startS3 } from '#lib/local/s3/s3-server'

const TABLE = 'jobs-test'
const buckets = { media: 'trial-media', documents: 'trial-documents' }
const credentials = { accessKeyId: 'LOCALTEST', secretAccessKey: 'a secret of this test' }
const reported: string[] = []
let directory: string
let dynamo: LocalDynamo
let client: DynamoDBClient
let s3: LocalS3
let functions: LocalFunctions
let jobs: Awaited<ReturnType<typeof startJobs>>
let gateway: LocalServer
let lambdaPort: number

const routes: LocalRoute[] = []

const start = async () => {
  const started = await startJobs({
    functions: functions.functions,
    lambdaPort,
    directory,
    environment: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
      AWS_REGION: 'eu-west-1',
      TABLE_NAME: TABLE,
      MEDIA_BUCKET: buckets.media,
      DOCUMENTS_BUCKET: buckets.documents,
    },
    s3,
    report: (line) => reported.push(line),
  })
  routes.splice(0, routes.length, ...started.routes)
  return started
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'jobs-'))
  const [http, lambda] = await freePorts(2)
  lambdaPort = lambda
  dynamo = await startDynamo()
  client = localDynamoClient(dynamo.endpoint)
  await createTable(client, TABLE, { withStream: true })
  s3 = await startS3({ directory, credentials, buckets })
  gateway = await startGateway({ port: 0, functionsPort: http, routes })
  functions = await startFunctions({
    ports: { functions: http, lambda },
    environment: {
      PATH: `${process.env['PATH']}`,
      RECORD_FILE: join(directory, 'recorded'),
      LOG_LEVEL: 'silent',
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'testing',
      AWS_SECRET_ACCESS_KEY: 'testing',
      AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${gateway.port}${QUEUES_PATH}`,
    },
    root: join(import.meta.dirname, '../service'),
    onLog: () => {},
  })
  jobs = await start()
})

afterAll(async () => {
  await gateway.stop()
  await jobs.stop()
  await functions.stop()
  await s3.stop()
  client.destroy()
  await dynamo.stop()
  await rm(directory, { recursive: true })
})

const put = (pk: string, sk: string, kind?: string) =>
  client.send(
    new PutItemCommand({
      TableName: TABLE,
      Item: { pk: { S: pk }, sk: { S: sk }, ...(kind !== undefined && { kind: { S: kind } }) },
    }),
  )

/** What the functions wrote down, event by event. */
const events = async () => {
  const text = await readFile(join(directory, 'recorded'), 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { Records?: (DynamoDBRecord & SQSRecord)[]; source?: string })
}

const recordedKeys = async () =>
  (await events()).flatMap(({ Records = [] }) =>
    Records.flatMap(({ dynamodb }) => dynamodb?.Keys?.['sk']?.S ?? []),
  )

describe('a change of the table', () => {
  it('reaches the functions whose filter it matches, in order', async () => {
    await put('WATCHED#1', 'first')
    await put('OTHER#1', 'unseen')
    await put('WATCHED#2', 'second')

    await vi.waitFor(async () => expect(await recordedKeys()).toEqual(['first', 'second']), 20_000)
    const [record] = (await events())[0]?.Records ?? []
    expect(record).toMatchObject({
      eventName: 'INSERT',
      eventSource: 'aws:dynamodb',
      dynamodb: { Keys: { pk: { S: 'WATCHED#1' } }, NewImage: { sk: { S: 'first' } } },
    })
    await vi.waitFor(() => expect(reported.join('\n')).toMatch(/^onChange: \d record/), 20_000)
  })

  it('is delivered again, with what came after it, when its function refuses it', async () => {
    await put('WATCHED#3', 'REFUSED once')
    await put('WATCHED#4', 'after')

    await vi.waitFor(async () => {
      const keys = await recordedKeys()
      expect(keys.filter((key) => key === 'REFUSED once')).toHaveLength(2)
      expect(keys.at(-1)).toBe('after')
    }, 20_000)
  })

  it('made while no one looked is delivered after a restart, and nothing before it again', async () => {
    await jobs.stop()
    const before = await recordedKeys()
    await put('WATCHED#5', 'while away')
    jobs = await start()

    await vi.waitFor(async () => expect(await recordedKeys()).toEqual([...before, 'while away']), 20_000)
  })
})

describe('a change that functions follow by its kind', () => {
  const notes = async () =>
    (await events()).flatMap(({ Records = [] }) =>
      Records.filter(({ eventSource }) => eventSource === 'aws:sqs').flatMap(({ body, attributes }) => {
        const { dynamodb, eventName } = JSON.parse(body) as DynamoDBRecord
        const attempt = Number(attributes.ApproximateReceiveCount)
        return dynamodb?.Keys?.['pk']?.S?.startsWith('NOTE#')
          ? [{ eventName, key: dynamodb.Keys['sk']?.S, attempt }]
          : []
      }),
    )
  const keysOf = (found: { key: string | undefined }[]) => found.map(({ key }) => key)

  it('reaches the follower’s queue, those of one subject in order, though one fails at first', async () => {
    await put('NOTE#1', 'REFUSED at first', 'note')
    await put('NOTE#1', 'second', 'note')
    await put('NOTE#2', 'of another subject', 'note')
    await put('NOTE#3', 'of a kind that nobody follows', 'draft')

    await vi.waitFor(async () => {
      const found = keysOf(await notes())
      expect(found.filter((key) => key === 'REFUSED at first')).toHaveLength(2)
      expect(found.lastIndexOf('REFUSED at first')).toBeLessThan(found.indexOf('second'))
      expect(found).toContain('of another subject')
      expect(found).not.toContain('of a kind that nobody follows')
    }, 20_000)
  })

  it('goes to the dead letters after as many attempts as its queue allows, until it is redriven', async () => {
    const queues = `http://localhost:${gateway.port}${QUEUES_PATH}`
    await put('NOTE#4', 'ALWAYS REFUSED', 'note')

    await vi.waitFor(async () => expect(await (await fetch(queues)).json()).toEqual({ onNote: 1 }), 20_000)
    const attempts = async () =>
      (await notes()).filter(({ key }) => key === 'ALWAYS REFUSED').map(({ attempt }) => attempt)
    expect(await attempts()).toEqual([1, 2, 3])

    const redriven = await fetch(`${queues}/onNote/redrive`, { method: 'POST' })
    expect(await redriven.json()).toEqual({ moved: 1 })
    await vi.waitFor(async () => expect(await attempts()).toEqual([1, 2, 3, 1, 2, 3]), 20_000)
  })
})

describe('an object put into a bucket', () => {
  it('reaches the functions that its bucket and prefix concern, as S3 tells it', async () => {
    const s3Client = new S3Client({ endpoint: s3.endpoint, region: 'eu-west-1', credentials })
    for (const [Bucket, Key] of [
      [buckets.media, 'elsewhere/a'],
      [buckets.documents, 'uploads/b'],
      [buckets.media, 'uploads/ü c+.jpg'],
    ]) {
      await s3Client.send(new PutObjectCommand({ Bucket, Key, Body: '12345' }))
    }

    const uploads = async () =>
      (await events()).flatMap(({ Records = [] }) =>
        Records.flatMap(({ body = '{}' }) => (JSON.parse(body) as Partial<S3Event>).Records ?? []),
      )
    await vi.waitFor(async () => expect(await uploads()).not.toEqual([]), 20_000)
    expect(
      (await uploads()).map(({ eventName, s3: { bucket, object } }) => [
        eventName,
        bucket.name,
        object.key,
        object.size,
      ]),
    ).toEqual([['ObjectCreated:Put', buckets.media, 'uploads/%C3%BC+c%2B.jpg', 5]])
    s3Client.destroy()
  })
})

describe('a schedule', () => {
  const run = async (name: string) => {
    const response = await fetch(`http://localhost:${gateway.port}/local/jobs/${name}`, { method: 'POST' })
    return [response.status, await response.json()]
  }

  it('runs when asked', async () => {
    expect(await run('sweep')).toEqual([200, { isOk: true, result: { batchItemFailures: [] } }])
    expect((await events()).at(-1)).toMatchObject({ source: 'aws.events' })
  })

  it('reports its failure', async () => {
    expect(await run('fail')).toEqual([
      200,
      { isOk: false, error: expect.objectContaining({ errorMessage: 'as it always does' }) },
    ])
  })

  it('is not found when it does not exist, and all others are listed', async () => {
    const list = await fetch(`http://localhost:${gateway.port}/local/jobs`)

    expect(await run('onChange')).toEqual([404, null])
    expect(await list.json()).toEqual(['sweep', 'fail'])
  })
})
