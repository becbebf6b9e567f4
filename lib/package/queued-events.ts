import type { FollowedChanges } from '#lib/events/change-routes'
import { HOUR_MILLISECONDS } from '#lib/kernel/clock'
import {
  eventSources,
  ResolvedFunctions,
  rateMilliseconds,
  type ScheduleSource,
} from '../local/events/event-sources.ts'
import type { Statement } from './grants.ts'
import { keepFailuresOf, type Schedule } from './template/failures.ts'
import { type Queue, queueId } from './template/queues.ts'

type Definition = { events: Record<string, unknown>[]; timeout?: number }

export type QueuedEvents = {
  queues: Queue[]
  schedules: Schedule[]
  /** The variable CHANGE_ROUTES of the function that dispatches changes. */
  routes: unknown
  grants: Record<string, Statement[]>
}

/**
 * Gives each function with an event `changes`, `objects` or `mailEvents` the event source mapping of its queue. Gives
 * the stream filters for the changes that functions follow.
 */
export function queueEvents(
  definitions: Readonly<Record<string, Definition>>,
  defaultTimeout: number,
): QueuedEvents {
  const { followers, objects, mailEvents, streams, schedules } = eventSources(
    ResolvedFunctions.parse(definitions),
  )
  const queued = [
    ...followers.map(({ job, source }) => ({ job: job.name, from: 'changes' as const, source })),
    // `from`: the bucket and the prefixes that the source names.
    ...objects.map(({ job, source }) => ({ job: job.name, from: source, source })),
    ...mailEvents.map(({ job, source }) => ({ job: job.name, from: 'mailEvents' as const, source })),
  ]
  const queues = queued.map(({ job, from, source: { attempts, batch, concurrency, delaySeconds } }) => {
    const definition = definitions[job]
    definition?.events.push({ sqs: mapping(job, { batchSize: batch, maximumConcurrency: concurrency }) })
    return { job, from, attempts, delaySeconds, timeoutSeconds: definition?.timeout ?? defaultTimeout }
  })
  for (const { job, source } of streams) {
    for (const { stream } of definitions[job.name]?.events ?? []) {
      if (stream) Object.assign(stream, { filterPatterns: source.filterPatterns })
    }
  }
  const changes = followers.map(({ job, source }) => [job.name, source] as const)
  return {
    queues,
    routes: routesOf(changes),
    schedules: schedules.map(({ job, source }) => ({
      job: job.name,
      everySeconds: everySeconds(source),
      isEnabled: source.enabled,
    })),
    // The keys are kinds of event sources, variables, and names of functions.
    grants: {
      stream: keepFailuresOf('stream'),
      schedule: keepFailuresOf('schedule'),
      CHANGE_ROUTES: [
        { Effect: 'Allow', Action: ['sqs:SendMessage'], Resource: changes.map(([job]) => arn(job)) },
      ],
      ...Object.fromEntries(queues.map(({ job }) => [job, [receive(job)]])),
    },
  }
}

/** Returns the least seconds between two runs of a schedule, which may have several rates; a `cron(…)` counts as hourly. */
const everySeconds = ({ rate }: ScheduleSource): number =>
  Math.min(...rate.map((each) => (rateMilliseconds(each) ?? HOUR_MILLISECONDS) / 1000))

const mapping = (job: string, limits: { batchSize: number; maximumConcurrency: number }) => ({
  arn: arn(job),
  ...limits,
  functionResponseType: 'ReportBatchItemFailures',
})

const arn = (job: string) => ({ 'Fn::GetAtt': [queueId(job), 'Arn'] })

const receive = (job: string): Statement => ({
  Effect: 'Allow',
  Action: [
    'sqs:ReceiveMessage',
    'sqs:DeleteMessage',
    'sqs:GetQueueAttributes',
    'sqs:ChangeMessageVisibility',
  ],
  Resource: arn(job),
})

/** Returns JSON into which CloudFormation writes the address of each queue. */
const routesOf = (changes: readonly (readonly [string, FollowedChanges])[]) => ({
  'Fn::Sub': JSON.stringify(
    Object.fromEntries(
      changes.map(([job, { inserted, modified, removed }]) => [
        job,
        { queue: `\${${queueId(job)}}`, inserted, modified, removed },
      ]),
    ),
  ),
})
