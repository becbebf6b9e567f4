import * as z from 'zod'
import { FilterPattern } from './filter-pattern.ts'

const Stream = z.object({
  type: z.literal('dynamodb'),
  batchSize: z.number().int().min(1).max(10_000).default(100),
  enabled: z.boolean().default(true),
  maximumRetryAttempts: z.number().int().optional(),
  functionResponseType: z.literal('ReportBatchItemFailures').optional(),
  filterPatterns: z.array(FilterPattern).default([]),
})

const Objects = z.object({
  bucket: z.unknown(),
  event: z.string().default('s3:ObjectCreated:*'),
  rules: z.array(z.object({ prefix: z.string().optional(), suffix: z.string().optional() })).default([]),
})

const Schedule = z.union([
  z.string().transform((rate) => ({ rate: [rate], enabled: true, input: undefined })),
  z.object({
    rate: z.union([z.string().transform((rate) => [rate]), z.array(z.string())]),
    enabled: z.boolean().default(true),
    input: z.unknown().optional(),
  }),
])

/** What `serverless.yml` says of functions, as osls resolved it. */
export const ResolvedFunctions = z.record(
  z.string(),
  z.object({
    /** The name it is deployed and invoked under. */
    name: z.string(),
    events: z.array(
      z.object({ stream: Stream.optional(), s3: Objects.optional(), schedule: Schedule.optional() }),
    ),
  }),
)
export type ResolvedFunctions = z.infer<typeof ResolvedFunctions>

/** A function and how it is invoked. */
export type Job = { name: string; functionName: string }

export type StreamSource = z.infer<typeof Stream>
export type ObjectSource = z.infer<typeof Objects>
export type ScheduleSource = z.infer<typeof Schedule>

/** Everything but requests that starts a function, by kind. */
export function eventSources(functions: ResolvedFunctions): {
  streams: { job: Job; source: StreamSource }[]
  objects: { job: Job; source: ObjectSource }[]
  schedules: { job: Job; source: ScheduleSource }[]
} {
  const all = Object.entries(functions).flatMap(([name, { name: functionName, events }]) =>
    events.map((event) => ({ job: { name, functionName }, ...event })),
  )
  return {
    streams: all.flatMap(({ job, stream }) => (stream?.enabled ? [{ job, source: stream }] : [])),
    objects: all.flatMap(({ job, s3 }) => (s3 ? [{ job, source: s3 }] : [])),
    schedules: all.flatMap(({ job, schedule }) => (schedule ? [{ job, source: schedule }] : [])),
  }
}

const UNITS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

/** How often a `rate(…)` comes, in milliseconds; undefined for a `cron(…)`. */
export function rateMilliseconds(expression: string): number | undefined {
  const [, count, unit] = expression.match(/^rate\((\d+) (minute|hour|day)s?\)$/) ?? []
  return unit === 'minute' || unit === 'hour' || unit === 'day' ? Number(count) * UNITS[unit] : undefined
}
