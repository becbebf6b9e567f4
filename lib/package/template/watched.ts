import { DAY_SECONDS, HOUR_SECONDS, MINUTE_MILLISECONDS, MINUTE_SECONDS } from '#lib/kernel/clock'

export type Watched = {
  stackName: string
  stage: string
  region: string
  /** The functions that a queue starts. */
  queues: readonly string[]
  /** The ordered ones among them, whose queues' names end in `.fifo`. */
  ordered: readonly string[]
  /** The functions that a schedule starts, with the logical id of its rule. */
  scheduled: readonly { job: string; everySeconds: number; rule: string }[]
  /** The functions with a concurrency of their own, which Lambda throttles alone. */
  reserved: readonly string[]
  /** The indexes of the table, whose throttles DynamoDB counts apart. */
  indexes: readonly string[]
  alertEmail: string | undefined
}

export type Metric = {
  name: string
  namespace: string
  dimensions?: Record<string, unknown>
  /** `Sum` by default. */
  statistic?: string
}

export type Alarm = {
  id: string
  because: string
  metrics: Metric[]
  /** The way several metrics become one value: a function of all, or an expression of `m0`, `m1` and so on. */
  combine?: 'SUM' | 'MAX' | (string & {})
  /**
   * The value above which the alarm rings, in the unit of its metrics; with `below`, the value under which it rings, also
   * without data.
   */
  above?: number
  below?: number
  /** Five minutes by default. */
  periodSeconds?: number
  /** The periods in a row that ring it; 1 by default. */
  periods?: number
}

/** CloudWatch takes at most ten metrics an alarm. Of several alarms of a kind, the later ones have a number in their ids. */
const METRICS_AN_ALARM = 10

/** Returns a metric that our functions write, see `writeMetric`. */
const own = (stage: string, name: string): Metric => ({
  name,
  namespace: 'PlatformApi',
  dimensions: { Stage: stage },
})
/** Returns a metric that a filter counts in the logs, see `logFilters`. */
const fromLogs = (stage: string, name: string, statistic?: string): Metric => ({
  name,
  namespace: `PlatformApi/${stage}`,
  ...(statistic !== undefined && { statistic }),
})

/** Every alarm of a stack. The operator's book says what to do about each. */
export function alarmsOf(watched: Watched): Alarm[] {
  const { stackName, stage, queues, ordered, scheduled, reserved, indexes } = watched
  const gateway = (name: string): Metric => ({
    name,
    namespace: 'AWS/ApiGateway',
    dimensions: { ApiId: { Ref: 'HttpApi' } },
  })
  const ofFunction = (name: string, job: string): Metric => ({
    name,
    namespace: 'AWS/Lambda',
    dimensions: { FunctionName: `${stackName}-${job}` },
  })
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
      because: 'More than one answer in a hundred is a 5xx',
      metrics: [gateway('5xx'), gateway('Count')],
      combine: percentage({ ifMoreThan: 5 }),
      above: 1,
    },
    {
      id: 'Errors',
      because: 'More than one request in a hundred fails by a fault of ours',
      metrics: [fromLogs(stage, 'InternalErrors'), fromLogs(stage, 'Requests')],
      combine: percentage({ ifMoreThan: 2 }),
      above: 1,
    },
    {
      id: 'ErrorBudgetFast',
      because: 'At this rate two days use up the failures that a month may have (99.9 %)',
      metrics: [fromLogs(stage, 'InternalErrors'), fromLogs(stage, 'Requests')],
      combine: percentage({ ifMoreThan: 5 }),
      above: 1.44,
      periodSeconds: HOUR_SECONDS,
    },
    {
      id: 'ErrorBudgetSlow',
      because: 'At this rate five days use up the failures that a month may have (99.9 %)',
      metrics: [fromLogs(stage, 'InternalErrors'), fromLogs(stage, 'Requests')],
      combine: percentage({ ifMoreThan: 10 }),
      above: 0.6,
      periodSeconds: 6 * HOUR_SECONDS,
    },
    {
      id: 'SlowCallbacks',
      because: 'One callback in a hundred is answered after more than a second',
      metrics: [fromLogs(stage, 'CallbackMilliseconds', 'p99')],
      above: 1000,
      periods: 3,
    },
    {
      id: 'FailingJobs',
      because: 'Jobs and messages fail',
      metrics: [fromLogs(stage, 'JobErrors')],
      above: 10,
    },
    { id: 'Crashes', because: 'Functions end or time out', metrics: [fromLogs(stage, 'Crashes')], above: 0 },
    {
      id: 'Throttles',
      because: 'Lambda refuses invocations of this account and region',
      metrics: [{ name: 'Throttles', namespace: 'AWS/Lambda' }],
      above: 0,
    },
    ...chunks(reserved).map((jobs, index) => ({
      id: `OwnThrottles${index || ''}`,
      because: 'Lambda refuses invocations of functions with a concurrency of their own',
      metrics: jobs.map((job) => ofFunction('Throttles', job)),
      combine: 'SUM' as const,
      above: 20,
    })),
    {
      id: 'StreamAge',
      because: 'Changes of the table wait to be dispatched',
      metrics: [{ ...ofFunction('IteratorAge', 'dispatchChanges'), statistic: 'Maximum' }],
      // In milliseconds, as Lambda counts it.
      above: 5 * MINUTE_MILLISECONDS,
    },
    ...chunks(queues).map((jobs, index) => ({
      id: `QueueAge${index || ''}`,
      because: 'Changes wait in a queue',
      metrics: jobs.map(ofQueue('ApproximateAgeOfOldestMessage')),
      combine: 'MAX' as const,
      // In seconds, as SQS counts it.
      above: 15 * MINUTE_SECONDS,
    })),
    ...chunks(queues).map((jobs, index) => ({
      id: `DeadLetters${index || ''}`,
      because: 'Messages were given up on: npm run redrive',
      metrics: jobs.map(ofQueue('ApproximateNumberOfMessagesVisible', '-dead')),
      combine: 'SUM' as const,
      above: 0,
    })),
    ...chunks(scheduled).map((schedules, index) => ({
      id: `FailedRuns${index || ''}`,
      because: 'Scheduled runs were given up on: npm run redrive',
      metrics: schedules.map(({ job }) => ofFunction('AsyncEventsDropped', job)),
      combine: 'SUM' as const,
      above: 0,
    })),
    ...silentSchedules(scheduled),
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
      above: 30 * MINUTE_SECONDS,
    },
    {
      id: 'OldestDueMail',
      because: 'Mails wait to be sent again',
      metrics: [{ ...own(stage, 'OldestDueMail'), statistic: 'Maximum' }],
      above: 30 * MINUTE_SECONDS,
    },
    {
      id: 'MailFailed',
      because: 'Mails fail and are tried again',
      metrics: [own(stage, 'MailFailed')],
      above: 20,
    },
    {
      id: 'MailGivenUp',
      because: 'Mails were given up on: GET /admin/mails',
      metrics: [own(stage, 'MailGivenUp')],
      above: 5,
    },
    {
      id: 'MailBounces',
      because: 'More than four mails in a hundred bounce: SES reviews an account at five',
      metrics: [{ name: 'Reputation.BounceRate', namespace: 'AWS/SES', statistic: 'Maximum' }],
      above: 0.04,
      periodSeconds: HOUR_SECONDS,
    },
    {
      id: 'MailComplaints',
      because: 'More than eight mails in ten thousand are complained of: SES reviews an account at ten',
      metrics: [{ name: 'Reputation.ComplaintRate', namespace: 'AWS/SES', statistic: 'Maximum' }],
      above: 0.0008,
      periodSeconds: HOUR_SECONDS,
    },
    {
      id: 'MailDelay',
      because: 'One mail in ten arrives more than two minutes after it was asked for',
      metrics: [{ ...own(stage, 'MailDelay'), statistic: 'p90' }],
      above: 120,
      periods: 3,
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
      because: 'Functions start slower than they did: more in a bundle, or a slower runtime',
      metrics: [fromLogs(stage, 'InitMilliseconds', 'p90')],
      above: 600,
      periodSeconds: 900,
      periods: 2,
    },
  ]
}

/** Returns the first metric as a percentage of the second; 0 up to a few, since one failure at night needs no alarm. */
const percentage = ({ ifMoreThan }: { ifMoreThan: number }): string =>
  `IF(m0 > ${ifMoreThan}, 100 * m0 / m1, 0)`

/** Returns alarms for schedules that start nothing: where a rule is disabled or not permitted, no run can fail. */
function silentSchedules(scheduled: Watched['scheduled']): Alarm[] {
  const often = scheduled.filter(({ everySeconds }) => everySeconds < HOUR_SECONDS)
  const seldom = scheduled.filter(({ everySeconds }) => everySeconds >= HOUR_SECONDS)
  const silent = (
    id: string,
    schedules: Watched['scheduled'],
    time: Pick<Alarm, 'periodSeconds' | 'periods'>,
  ) =>
    chunks(schedules).map((chunk, index) => ({
      id: `${id}${index || ''}`,
      because: 'A schedule started nothing: is its rule disabled?',
      metrics: chunk.map(({ rule }) => ({
        name: 'Invocations',
        namespace: 'AWS/Events',
        dimensions: { RuleName: { Ref: rule } },
      })),
      combine: `MIN([${chunk.map((_, metric) => `FILL(m${metric}, 0)`).join(', ')}])`,
      below: 1,
      ...time,
    }))
  return [
    ...silent('SilentSchedules', often, { periodSeconds: 900 }),
    // The window of one day may hold no daily run, because the run was a moment late. Two in a row hold one.
    ...silent('SilentDailySchedules', seldom, { periodSeconds: DAY_SECONDS, periods: 2 }),
  ]
}

const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / METRICS_AN_ALARM) }, (_, index) =>
    items.slice(index * METRICS_AN_ALARM, (index + 1) * METRICS_AN_ALARM),
  )
