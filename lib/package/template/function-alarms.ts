import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '#lib/kernel/clock'
import type { Resource } from './template.ts'

type Watched = {
  stackName: string
  /** The functions that a queue starts. */
  queues: readonly string[]
  /** The ordered ones among them, whose queues' names end in `.fifo`. */
  ordered: readonly string[]
  /** The functions that a schedule starts, with the logical id of its rule. */
  scheduled: readonly { job: string; everySeconds: number; rule: string }[]
  /** The functions with a concurrency of their own, which Lambda throttles alone. */
  reserved: readonly string[]
}

type Metric = { Namespace: string; MetricName: string; Dimensions: readonly object[] }

type Kind = {
  id: string
  because: string
  /** The metric of each function that is watched. */
  metrics: readonly Metric[]
  statistic?: 'Sum' | 'Maximum'
  periodSeconds?: number
  /** The alarm's own properties. `expression` takes the number of metrics: they are `m0`, `m1` and so on. */
  properties: object
  expression?: (count: number) => string
}

/** CloudWatch takes at most ten metrics an alarm. Of several alarms of a kind, the later ones have a number in their ids. */
const METRICS_AN_ALARM = 10

/**
 * Returns the alarms of a stack that depend on its functions, by their logical ids: of queues, schedules and reserved
 * functions. `lib/deploy/alarms.yml` holds all others.
 */
export function functionAlarms(watched: Watched): Record<string, Resource> {
  const { stackName, queues, ordered, scheduled, reserved } = watched
  const ofFunction = (MetricName: string) => (job: string) => ({
    Namespace: 'AWS/Lambda',
    MetricName,
    Dimensions: [{ Name: 'FunctionName', Value: `${stackName}-${job}` }],
  })
  const ofQueue = (MetricName: string, suffix: string) => (job: string) => ({
    Namespace: 'AWS/SQS',
    MetricName,
    Dimensions: [
      { Name: 'QueueName', Value: `${stackName}-${job}${suffix}${ordered.includes(job) ? '.fifo' : ''}` },
    ],
  })
  const kinds: Kind[] = [
    {
      id: 'OwnThrottles',
      because: 'Lambda refuses invocations of functions with a concurrency of their own',
      metrics: reserved.map(ofFunction('Throttles')),
      properties: { Threshold: 20 },
    },
    {
      id: 'QueueAge',
      because: 'Changes wait in a queue',
      metrics: queues.map(ofQueue('ApproximateAgeOfOldestMessage', '')),
      statistic: 'Maximum',
      expression: () => 'MAX(METRICS())',
      // In seconds, as SQS counts it.
      properties: { Threshold: 15 * MINUTE_SECONDS },
    },
    {
      id: 'DeadLetters',
      because: 'Messages were given up on: npm run redrive',
      metrics: queues.map(ofQueue('ApproximateNumberOfMessagesVisible', '-dead')),
      statistic: 'Maximum',
      properties: { Threshold: 0 },
    },
    {
      id: 'FailedRuns',
      because: 'Scheduled runs were given up on: npm run redrive',
      metrics: scheduled.map(({ job }) => ofFunction('AsyncEventsDropped')(job)),
      properties: { Threshold: 0 },
    },
    silent('SilentSchedules', {
      schedules: scheduled.filter(({ everySeconds }) => everySeconds < HOUR_SECONDS),
      periodSeconds: 15 * MINUTE_SECONDS,
    }),
    // The window of one day may hold no daily run, because the run was a moment late. Two in a row hold one.
    silent('SilentDailySchedules', {
      schedules: scheduled.filter(({ everySeconds }) => everySeconds >= HOUR_SECONDS),
      periodSeconds: DAY_SECONDS,
      periods: 2,
    }),
  ]
  return Object.fromEntries(kinds.flatMap(alarmsOf))
}

type Silent = { schedules: Watched['scheduled']; periodSeconds: number; periods?: number }

/** Returns alarms for schedules that start nothing: where a rule is disabled or not permitted, no run can fail. */
const silent = (id: string, { schedules, periodSeconds, periods = 1 }: Silent): Kind => ({
  id,
  because: 'A schedule started nothing: is its rule disabled?',
  metrics: schedules.map(({ rule }) => ({
    Namespace: 'AWS/Events',
    MetricName: 'Invocations',
    Dimensions: [{ Name: 'RuleName', Value: { Ref: rule } }],
  })),
  periodSeconds,
  expression: (count) =>
    `MIN([${Array.from({ length: count }, (_, metric) => `FILL(m${metric}, 0)`).join(', ')}])`,
  properties: {
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    EvaluationPeriods: periods,
    TreatMissingData: 'breaching',
  },
})

function alarmsOf({ id, because, metrics, properties, ...kind }: Kind): [string, Resource][] {
  const {
    statistic: Stat = 'Sum',
    periodSeconds: Period = 5 * MINUTE_SECONDS,
    expression = () => 'SUM(METRICS())',
  } = kind
  return chunks(metrics).map((chunk, index) => {
    const name = `${id}${index || ''}`
    const Properties = {
      AlarmName: { 'Fn::Sub': `\${AWS::StackName}-${name}` },
      AlarmDescription: because,
      Metrics: [
        { Id: 'all', Expression: expression(chunk.length), Label: name },
        ...chunk.map((Metric, metric) => ({
          Id: `m${metric}`,
          ReturnData: false,
          MetricStat: { Metric, Period, Stat },
        })),
      ],
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
      AlarmActions: [{ Ref: 'Alerts' }],
      OKActions: [{ Ref: 'Alerts' }],
      ...properties,
    }
    return [`${name}Alarm`, { Type: 'AWS::CloudWatch::Alarm', Properties }]
  })
}

const chunks = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / METRICS_AN_ALARM) }, (_, index) =>
    items.slice(index * METRICS_AN_ALARM, (index + 1) * METRICS_AN_ALARM),
  )
