import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Environment } from '../environment.ts'
import type { LocalRoute } from '../gateway/gateway.ts'
import type { LocalS3 } from '../s3/s3-server.ts'
import { eventSources, type Job, type ResolvedFunctions, type ScheduleSource } from './event-sources.ts'
import { type Invoke, invoker, type Outcome } from './invoke.ts'
import { objectEvent, wantsObject } from './object-mapping.ts'
import { openPositions } from './positions.ts'
import { followQueue } from './queue-mapping.ts'
import { openQueues } from './queue-store.ts'
import { repeat } from './schedule.ts'
import { queueRoutes } from './sqs.ts'
import { followStream } from './stream-mapping.ts'
import { streamApi } from './stream-reader.ts'

type JobsOptions = {
  functions: ResolvedFunctions
  lambdaPort: number
  directory: string
  environment: Environment
  s3: LocalS3
  report: (line: string) => void
}

const STOP_MILLISECONDS = 2_000

export const JOBS_PATH = '/local/jobs'

/**
 * Starts every event source except requests: the table's stream, queues of its changes and of objects put into the
 * buckets, and schedules. One route lists the schedules. One runs a schedule now, for `npm run job`, with the event in
 * the request's body. One takes the messages that functions send to queues.
 */
export async function startJobs(
  options: JobsOptions,
): Promise<{ routes: LocalRoute[]; stop: () => Promise<void> }> {
  const { functions, lambdaPort, environment, s3, report } = options
  const invoke = invoker(lambdaPort)
  const { streams, followers, objects, schedules } = eventSources(functions)
  const ending = new AbortController()
  const {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb = '',
    TABLE_NAME: tableName = '',
    AWS_REGION: region = '',
  } = environment
  const { MEDIA_BUCKET: media = '', DOCUMENTS_BUCKET: documents = '' } = environment

  const positions = await openPositions(options.directory)
  const api = streamApi(dynamodb)
  const following = streams.map(({ job, source }) =>
    followStream({ job, source, tableName, api, invoke, positions, report, signal: ending.signal }),
  )
  const store = openQueues(options.directory)
  const queues = [...followers, ...objects].map(({ job, source }) =>
    followQueue({ job, source, store, invoke, report, signal: ending.signal }),
  )
  const stopListening = s3.onObjectCreated((object) => {
    for (const { job, source } of objects) {
      if (wantsObject(source, object, { media, documents }))
        store.send(job.name, { body: JSON.stringify(objectEvent(object, region)) })
    }
  })
  const stops = schedules.flatMap((scheduled) => startSchedule(scheduled, invoke, report))
  return {
    routes: [...jobRoutes(schedules, invoke, report), ...queueRoutes(store)],
    stop: async () => {
      for (const stop of stops) stop()
      stopListening()
      ending.abort()
      // A message that is not settled by then is delivered again after the next start.
      const ended = Promise.all([...following, ...queues])
      await Promise.race([ended, wait(STOP_MILLISECONDS, undefined, { ref: false })])
      store.close()
    },
  }
}

type Scheduled = { job: Job; source: ScheduleSource }

/** Runs a job by each rate of its schedule, unless that is disabled. Returns functions that end this. */
const startSchedule = ({ job, source }: Scheduled, invoke: Invoke, report: (line: string) => void) => {
  const rates = source.enabled ? source.rate : []
  return rates.map((rate) => repeat(rate, () => runScheduled({ job, source }, invoke, report)))
}

async function runScheduled(
  { job, source }: Scheduled,
  invoke: Invoke,
  report: (line: string) => void,
  event: unknown = source.input ?? scheduledEvent(),
): Promise<Outcome> {
  const outcome = await invoke(job, event)
  report(`${job.name}${outcome.isOk ? '' : ' failed'}`)
  return outcome
}

/** @see https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-scheduled.html */
const scheduledEvent = () => ({
  version: '0',
  id: randomUUID(),
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '000000000000',
  time: new Date().toISOString().replace(/\.\d+/, ''),
  region: 'local',
  resources: [],
  detail: {},
})

/** A route answers its path and every path below it: a `POST` names the job, as in `/local/jobs/reconcilePayments`. */
const jobRoutes = (schedules: Scheduled[], invoke: Invoke, report: (line: string) => void): LocalRoute[] => [
  {
    method: 'GET',
    path: JOBS_PATH,
    handle: (_, response) => {
      response.end(JSON.stringify(schedules.map(({ job }) => job.name)))
    },
  },
  {
    method: 'POST',
    path: JOBS_PATH,
    handle: async (request, response, url) => {
      const text = Buffer.concat(await request.toArray()).toString()
      const name = decodeURIComponent(url.pathname.slice(JOBS_PATH.length + 1))
      const scheduled = schedules.find(({ job }) => job.name === name)
      response.statusCode = scheduled ? 200 : 404
      const event: unknown = text === '' ? undefined : JSON.parse(text)
      const outcome = scheduled ? await runScheduled(scheduled, invoke, report, event) : null
      response.end(JSON.stringify(outcome))
    },
  },
]
