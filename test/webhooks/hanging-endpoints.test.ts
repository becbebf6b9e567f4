import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { spec as dispatchChanges } from '#functions/jobs/dispatch-changes'
import { openTable, type Table } from '#lib/dynamo/table'
import type { ChangeQueues } from '#lib/events/dispatch-changes'
import { announce } from '#lib/events/event'
import { serveJob } from '#lib/http/job'
import type { FunctionModule, JobSpec } from '#lib/http/spec'
import { openJournal } from '#lib/journal/journal.dynamo'
import { timestamp } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { createTable, localDynamoClient } from '#lib/local/dynamodb'
import { eventSources, ResolvedFunctions } from '#lib/local/events/event-sources'
import type { Invoke } from '#lib/local/events/invoke'
import { openPositions } from '#lib/local/events/positions'
import { followQueue } from '#lib/local/events/queue-mapping'
import { openQueues, type QueueStore } from '#lib/local/events/queue-store'
import { followStream } from '#lib/local/events/stream-mapping'
import { streamApi } from '#lib/local/events/stream-reader'
import { type LocalServer, listenLocally } from '#lib/local/local-server'
import { LANES, openDeliveries } from '#lib/webhooks/delivery-store.dynamo'
import { registerWebhook } from '#lib/webhooks/manage-webhooks'
import { webhookPoster } from '#lib/webhooks/post-webhook.https'
import { WEBHOOKS_MAX } from '#lib/webhooks/webhook'
import { openWebhooks } from '#lib/webhooks/webhook-store.dynamo'
import { LAMBDA_CONTEXT } from '#test/support/lambda-context'

const ROOT = new URL('../../', import.meta.url)
const DYNAMO = process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? ''
const TABLE = `hanging-${randomBytes(8).toString('hex')}`
const HOUR_MILLISECONDS = 3_600_000
const ENOUGH_MILLISECONDS = 50_000

let directory: string
let table: Table
let store: QueueStore
const ending = new AbortController()
const following: Promise<void>[] = []
const servers: LocalServer[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hanging-'))
  await createTable(localDynamoClient(DYNAMO), TABLE, { withStream: true })
  table = openTable(TABLE)
  store = openQueues(directory)
  await startFunctions()
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  ending.abort()
  await Promise.all(following)
  store.close()
  await rm(directory, { recursive: true })
})

/** Starts the functions that send webhooks, on the local stack's stream and queues, as serverless.yml says. */
async function startFunctions() {
  const { functions } = parse(await readFile(new URL('serverless.yml', ROOT), 'utf8'), { logLevel: 'silent' })
  const named = Object.entries<object>(functions).map(([name, each]) => [name, { name, events: [], ...each }])
  const { streams, followers } = eventSources(ResolvedFunctions.parse(Object.fromEntries(named)))
  const specs = new Map<string, JobSpec>()
  for (const { job } of followers) {
    const file = functions[job.name].handler.replace(/\.handler$/, '.ts')
    const { spec }: FunctionModule = await import(new URL(file, ROOT).href)
    if (spec.kind === 'job' && 'deliveries' in spec.deps) specs.set(job.name, spec)
  }
  const sending = followers.filter(({ job }) => specs.has(job.name))
  const routes = Object.fromEntries(
    sending.map(({ job, source: { inserted, modified, removed } }) => [
      job.name,
      { queue: job.name, inserted, modified, removed },
    ]),
  )
  const queues: ChangeQueues = {
    send: async (messages) => {
      for (const { queue, body, subject, id } of messages)
        store.send(queue, { body, group: subject, deduplicationId: id })
      return new Set()
    },
  }
  const handlers = new Map([
    ...[...specs].map(([name, spec]) => [name, serveJob(spec, senderDeps())] as const),
    ['dispatchChanges', serveJob(dispatchChanges, { queues, routes })],
  ])
  const invoke: Invoke = async ({ name }, event) => {
    try {
      return { isOk: true, result: await handlers.get(name)?.(event, LAMBDA_CONTEXT) }
    } catch (error) {
      return { isOk: false, error }
    }
  }
  const positions = await openPositions(directory)
  const common = { invoke, report: () => undefined, signal: ending.signal }
  for (const { job, source } of streams)
    following.push(
      followStream({ job, source, tableName: TABLE, api: streamApi(DYNAMO), positions, ...common }),
    )
  for (const { job, source } of sending) following.push(followQueue({ job, source, store, ...common }))
}

/** What the functions depend on: endpoints on this machine, which may take an hour to answer. */
const senderDeps = () => ({
  webhooks: openWebhooks(table),
  deliveries: openDeliveries(table),
  post: webhookPoster({
    resolve: (host) => lookup(host, { all: true }),
    isAllowed: () => true,
    now: () => performance.now(),
    headTimeoutMilliseconds: HOUR_MILLISECONDS,
  }),
  report: () => undefined,
})

/** Registers an endpoint that accepts requests and never answers, or answers each. Returns the events it was sent. */
async function anEndpoint({ answers }: { answers: boolean }): Promise<string[]> {
  const received: string[] = []
  const server = await listenLocally(0, (request, response) => {
    received.push(`${request.headers['webhook-id']}`)
    if (answers) response.writeHead(204).end()
  })
  servers.push(server)
  const deps = {
    webhooks: openWebhooks(table),
    journal: openJournal(table),
    now: () => new Date(),
    newId,
    allowsLoopback: true,
    once: { receipt: () => [] },
  }
  await registerWebhook(deps, 'admin', {
    url: `http://127.0.0.1:${server.port}/`,
    types: ['user.registered'],
  })
  return received
}

async function anEvent(): Promise<string> {
  const id = newId('event')
  const event = { id, subject: newId('user'), at: timestamp(new Date()), data: {} }
  await table.commit([announce({ type: 'user.registered', ...event })])
  return id
}

it('Every event reaches an endpoint that answers while all nineteen others hang, each of which holds its own lanes alone.', async () => {
  const others = Array.from({ length: WEBHOOKS_MAX - 1 })
  const hanging = await Promise.all(others.map(() => anEndpoint({ answers: false })))
  const answering = await anEndpoint({ answers: true })
  const events = await Promise.all(Array.from({ length: 24 }, anEvent))
  await vi.waitFor(() => expect([...answering].sort()).toEqual(events.sort()), ENOUGH_MILLISECONDS)
  for (const held of hanging) {
    expect(held.length).toBeGreaterThan(0)
    expect(held.length).toBeLessThanOrEqual(LANES.sending)
  }
})
