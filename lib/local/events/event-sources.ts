import * as z from 'zod'
import { streamFilters } from '#lib/events/change-routes'
import { DAY_MILLISECONDS, HOUR_MILLISECONDS, MINUTE_MILLISECONDS } from '#lib/kernel/clock'
import { FilterPattern } from './filter-pattern.ts'

const Stream = z.object({
  type: z.literal('dynamodb'),
  batchSize: z.number().int().min(1).max(10_000).default(100),
  enabled: z.boolean().default(true),
  maximumRetryAttempts: z.number().int().optional(),
  functionResponseType: z.literal('ReportBatchItemFailures').optional(),
  filterPatterns: z.array(FilterPattern).optional(),
})

const kinds = z.array(z.string().min(1)).default([])

/** The delivery of a queue to its function. A message that failed `attempts` times goes to the dead letters. */
const delivery = (defaults: { attempts: number; batch: number }) => ({
  attempts: z.int().min(1).max(1000).default(defaults.attempts),
  /** The largest number of messages in an invocation, which ends with the slowest of them. */
  batch: z.int().min(1).max(10).default(defaults.batch),
  /** The number of invocations at once; AWS takes at least two. */
  concurrency: z.int().min(2).max(1000).default(10),
  /** The time for which every message waits in the queue. */
  delaySeconds: z.int().min(0).max(900).default(0),
})

/**
 * The event `changes`: items of these kinds were inserted, modified or removed. When deployed, attempts are at least
 * 30 seconds apart: 30 of them outlast a failure of a quarter of an hour.
 */
export const Changes = z.strictObject({
  inserted: kinds,
  modified: kinds,
  removed: kinds,
  ...delivery({ attempts: 30, batch: 10 }),
})

/**
 * The event `objects`: an object was created under a prefix of a bucket. `bucket` is the bucket's logical id. Objects come
 * one at a time, since each may take all the memory.
 */
export const Objects = z.strictObject({
  bucket: z.string(),
  /** None begins with another one, of this function or of any: S3 would refuse them. */
  prefixes: z.array(z.string()).min(1),
  ...delivery({ attempts: 5, batch: 1 }),
})

/** The event `mailEvents`: the provider of mail says that a mail bounced or was complained of. The local one never does. */
export const MailEvents = z.strictObject({ ...delivery({ attempts: 5, batch: 1 }) })

const Schedule = z.union([
  z.string().transform((rate) => ({ rate: [rate], enabled: true, input: undefined })),
  z.object({
    rate: z.union([z.string().transform((rate) => [rate]), z.array(z.string())]),
    enabled: z.boolean().default(true),
    input: z.unknown().optional(),
  }),
])

export const ResolvedFunctions = z.record(
  z.string(),
  z.object({
    /** The name it is deployed and invoked under. */
    name: z.string(),
    events: z.array(
      z.object({
        stream: Stream.optional(),
        changes: Changes.optional(),
        objects: Objects.optional(),
        mailEvents: MailEvents.optional(),
        schedule: Schedule.optional(),
      }),
    ),
  }),
)
export type ResolvedFunctions = z.infer<typeof ResolvedFunctions>

/** A function by its name in serverless.yml, and by the name under which it is deployed and invoked. */
export type Job = { name: string; functionName: string }

export type StreamSource = z.infer<typeof Stream> & { filterPatterns: FilterPattern[] }
export type ChangesSource = z.infer<typeof Changes>
export type ObjectSource = z.infer<typeof Objects>
type MailEventSource = z.infer<typeof MailEvents>
export type ScheduleSource = z.infer<typeof Schedule>

/**
 * Returns the events that start functions, by kind. Requests are not among them. `followers` are the functions
 * with `changes`. A stream without filters of its own gets those of all followers, since the function of the stream
 * dispatches changes to them. A disabled stream is left out; a disabled schedule is not, since it can be run by hand.
 */
export function eventSources(functions: ResolvedFunctions): {
  streams: { job: Job; source: StreamSource }[]
  followers: { job: Job; source: ChangesSource }[]
  objects: { job: Job; source: ObjectSource }[]
  mailEvents: { job: Job; source: MailEventSource }[]
  schedules: { job: Job; source: ScheduleSource }[]
} {
  const all = Object.entries(functions).flatMap(([name, { name: functionName, events }]) =>
    events.map((event) => ({ job: { name, functionName }, ...event })),
  )
  const followers = all.flatMap(({ job, changes }) => (changes ? [{ job, source: changes }] : []))
  const filters = streamFilters(followers.map(({ source }) => source))
  return {
    streams: all.flatMap(({ job, stream }) =>
      stream?.enabled
        ? [{ job, source: { ...stream, filterPatterns: stream.filterPatterns ?? filters } }]
        : [],
    ),
    followers,
    objects: all.flatMap(({ job, objects }) => (objects ? [{ job, source: objects }] : [])),
    mailEvents: all.flatMap(({ job, mailEvents }) => (mailEvents ? [{ job, source: mailEvents }] : [])),
    schedules: all.flatMap(({ job, schedule }) => (schedule ? [{ job, source: schedule }] : [])),
  }
}

const UNITS = { minute: MINUTE_MILLISECONDS, hour: HOUR_MILLISECONDS, day: DAY_MILLISECONDS } as const

/** Returns the milliseconds between two runs of a `rate(…)`; undefined for a `cron(…)`. */
export function rateMilliseconds(expression: string): number | undefined {
  const [, count, unit] = expression.match(/^rate\((\d+) (minute|hour|day)s?\)$/) ?? []
  return unit === 'minute' || unit === 'hour' || unit === 'day' ? Number(count) * UNITS[unit] : undefined
}
