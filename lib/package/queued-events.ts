import type { FollowedChanges } from '#lib/events/change-routes'
import {
  CHANGES_A_BATCH,
  eventSources,
  OBJECTS_A_BATCH,
  ResolvedFunctions,
} from '../local/events/event-sources.ts'
import type { Statement } from './roles.ts'
import { type Queue, queueId } from './template/queues.ts'

type Definition = { events: Record<string, unknown>[]; timeout?: number }

/** What the events `changes` and `objects` of serverless.yml come to when deployed. */
export type QueuedEvents = {
  queues: Queue[]
  /** The variable CHANGE_ROUTES of the function that dispatches changes. */
  routes: unknown
  /** What functions may do with the queues, by the function's name or the variable that it reads. */
  grants: Record<string, Statement[]>
}

/**
 * Gives each function with such an event the event source mapping of its queue, and the stream the filters that let
 * through what is followed.
 */
export function queueEvents(
  definitions: Readonly<Record<string, Definition>>,
  defaultTimeout: number,
): QueuedEvents {
  const { followers, objects, streams } = eventSources(ResolvedFunctions.parse(definitions))
  const queues = [
    ...followers.map(({ job, source }) => ({ job: job.name, from: 'changes' as const, source })),
    ...objects.map(({ job, source }) => ({ job: job.name, from: source, source })),
  ].map(({ job, from, source: { attempts, concurrency } }) => {
    const definition = definitions[job]
    definition?.events.push({ sqs: mapping(job, from === 'changes', concurrency) })
    return { job, from, attempts, timeoutSeconds: definition?.timeout ?? defaultTimeout }
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
    grants: {
      CHANGE_ROUTES: [
        { Effect: 'Allow', Action: ['sqs:SendMessage'], Resource: changes.map(([job]) => arn(job)) },
      ],
      ...Object.fromEntries(queues.map(({ job }) => [job, [receive(job)]])),
    },
  }
}

const mapping = (job: string, isOrdered: boolean, maximumConcurrency: number) => ({
  arn: arn(job),
  batchSize: isOrdered ? CHANGES_A_BATCH : OBJECTS_A_BATCH,
  maximumConcurrency,
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

/** JSON in which CloudFormation writes the address of each queue. */
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
