/** What the alarms watch. */
export type Watched = {
  stackName: string
  stage: string
  region: string
  /** The functions that a queue starts. */
  queues: readonly string[]
  /** The ordered ones among them, whose queues' names end in `.fifo`. */
  ordered: readonly string[]
  /** The functions that a schedule starts. */
  scheduled: readonly string[]
  /** The indexes of the table, whose throttles DynamoDB counts apart. */
  indexes: readonly string[]
  alertEmail: string | undefined
}

export type Metric = {
  name: string
  namespace: string
  dimensions?: Record<string, unknown>
  statistic?: string
}

/** An alarm: its name, its metrics, and the threshold. */
export type Alarm = {
  id: string
  because: string
  metrics: Metric[]
  /** How several metrics become one value. */
  combine?: 'SUM' | 'MAX'
  above: number
  periodSeconds?: number
  periods?: number
}

/** CloudWatch takes at most ten metrics an alarm. */
const METRICS_AN_ALARM = 10

const own = (stage: string, name: string): Metric => ({
  name,
  namespace: 'PlatformApi',
  dimensions: { Stage: stage },
})
const fromLogs = (stage: string, name: string, statistic?: string): Metric => ({
  name,
  namespace: `PlatformApi/${stage}`,
  ...(statistic !== undefined && { statistic }),
})

/** Every alarm of a stack. The operator's book says what to do about each. */
export function alarmsOf({ stackName, stage, queues, ordered, scheduled, indexes }: Watched): Alarm[] {
  const queueName = (job: string, suffix = '') =>
    `${stackName}-${job}${suffix}${ordered.includes(job) ? '.fifo' : ''}`
  const ofQueue =
    (name: string, suffix?: string) =>
    (job: string): Metric => ({
      name,
      namespace: 'AWS/SQS',
      dimensions: { QueueName: queueName(job, suffix) },
      statistic: 'Maximum',
    })
  const throttled = (index?: string): Metric[] =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => ({
      name,
      namespace: 'AWS/DynamoDB',
      dimensions: {
        TableName: { Ref: 'Table' },
        ...(index !== undefined && { GlobalSecondaryIndexName: index }),
      },
    }))
  return [
    {
      id: 'Gateway5xx',
      because: 'Callers are answered with 5xx',
      metrics: [{ name: '5xx', namespace: 'AWS/ApiGateway', dimensions: { ApiId: { Ref: 'HttpApi' } } }],
      above: 5,
    },
    { id: 'Errors', because: 'Functions log errors', metrics: [fromLogs(stage, 'ErrorLines')], above: 10 },
    { id: 'Crashes', because: 'Functions end or time out', metrics: [fromLogs(stage, 'Crashes')], above: 0 },
    {
      id: 'Throttles',
      because: 'Lambda refuses invocations of this account and region',
      metrics: [{ name: 'Throttles', namespace: 'AWS/Lambda' }],
      above: 0,
    },
    {
      id: 'StreamAge',
      because: 'Changes of the table wait to be dispatched',
      metrics: [
        {
          name: 'IteratorAge',
          namespace: 'AWS/Lambda',
          dimensions: { FunctionName: `${stackName}-dispatchChanges` },
          statistic: 'Maximum',
        },
      ],
      above: 5 * 60_000,
    },
    ...chunks(queues).map((jobs, index) => ({
      id: `QueueAge${index || ''}`,
      because: 'Changes wait in a queue',
      metrics: jobs.map(ofQueue('ApproximateAgeOfOldestMessage')),
      combine: 'MAX' as const,
      above: 15 * 60,
    })),
    ...chunks(queues).map((jobs, index) => ({
      id: `DeadLetters${index || ''}`,
      because: 'Messages were given up on: npm run redrive',
      metrics: jobs.map(ofQueue('ApproximateNumberOfMessagesVisible', '-dead')),
      combine: 'SUM' as const,
      above: 0,
    })),
    ...chunks(scheduled).map((jobs, index) => ({
      id: `FailedRuns${index || ''}`,
      because: 'Scheduled runs were given up on: npm run redrive',
      metrics: jobs.map((job) => ({
        name: 'AsyncEventsDropped',
        namespace: 'AWS/Lambda',
        dimensions: { FunctionName: `${stackName}-${job}` },
      })),
      combine: 'SUM' as const,
      above: 0,
    })),
    {
      id: 'LedgerFault',
      because: 'The ledger and the payments do not agree',
      metrics: [own(stage, 'LedgerFault')],
      above: 0,
    },
    {
      id: 'OldestDuePayment',
      because: 'Payments wait to be read from their providers',
      metrics: [{ ...own(stage, 'OldestDuePayment'), statistic: 'Maximum' }],
      above: 30 * 60,
    },
    {
      id: 'OldestDueMail',
      because: 'Mails wait to be sent again',
      metrics: [{ ...own(stage, 'OldestDueMail'), statistic: 'Maximum' }],
      above: 30 * 60,
    },
    {
      id: 'RefusedSignatures',
      because: 'Callbacks are refused: a rotated secret, or somebody trying',
      metrics: [own(stage, 'InvalidSignature')],
      above: 20,
    },
    {
      id: 'UnconfirmedCallbacks',
      because: 'Unsigned callbacks say what their provider does not confirm',
      metrics: [own(stage, 'UnconfirmedCallback')],
      above: 20,
    },
    {
      id: 'TableThrottles',
      because: 'DynamoDB refuses reads or writes',
      metrics: [...throttled(), ...indexes.flatMap(throttled)],
      combine: 'SUM',
      above: 0,
    },
    {
      id: 'ColdStarts',
      because: 'Functions start slower than they did: bytecode of another runtime, or more in a bundle',
      metrics: [fromLogs(stage, 'InitMilliseconds', 'p90')],
      above: 600,
      periodSeconds: 900,
      periods: 2,
    },
  ]
}

const chunks = (jobs: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(jobs.length / METRICS_AN_ALARM) }, (_, index) =>
    jobs.slice(index * METRICS_AN_ALARM, (index + 1) * METRICS_AN_ALARM),
  )
