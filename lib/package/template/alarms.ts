import type { Resource, Template } from './template.ts'
import { type Alarm, alarmsOf, type Watched } from './watched.ts'

const TOPIC = 'Alerts'
const USUAL_PERIOD_SECONDS = 300

/** Adds a topic, the alarms that notify it, the counts that they take from the logs, and a dashboard of all of them. */
export function watch(template: Template, watched: Watched): void {
  const alarms = alarmsOf(watched)
  template.Resources[TOPIC] = topic(watched.alertEmail)
  for (const [id, filter] of Object.entries(logFilters(watched))) template.Resources[id] = filter
  for (const each of alarms) template.Resources[`${each.id}Alarm`] = alarm(each, watched.stackName)
  template.Resources['Dashboard'] = dashboard(alarms, watched)
  template.Outputs = { ...template.Outputs, AlertsTopic: { Value: { Ref: TOPIC } } }
}

function alarm(each: Alarm, stackName: string): Resource {
  const period = each.periodSeconds ?? USUAL_PERIOD_SECONDS
  const queries = each.metrics.map(({ name, namespace, dimensions = {}, statistic = 'Sum' }, index) => ({
    Id: `m${index}`,
    ReturnData: each.combine === undefined,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: name,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: period,
      Stat: statistic,
    },
  }))
  // A function such as `SUM` takes all metrics; any other expression names them as `m0`, `m1` and so on.
  const expression = /^[A-Z]+$/.test(each.combine ?? '') ? `${each.combine}(METRICS())` : each.combine
  const combined = { Id: 'all', Expression: expression, Label: each.id, ReturnData: true }
  const ringsBelow = each.below !== undefined
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `${stackName}-${each.id}`,
      AlarmDescription: each.because,
      Metrics: each.combine === undefined ? queries : [combined, ...queries],
      ComparisonOperator: ringsBelow ? 'LessThanThreshold' : 'GreaterThanThreshold',
      Threshold: each.below ?? each.above,
      EvaluationPeriods: each.periods ?? 1,
      // With `below`, an absent value counts as too low.
      TreatMissingData: ringsBelow ? 'breaching' : 'notBreaching',
      AlarmActions: [{ Ref: TOPIC }],
      OKActions: [{ Ref: TOPIC }],
    },
  }
}

const topic = (alertEmail: string | undefined): Resource => ({
  Type: 'AWS::SNS::Topic',
  Properties: alertEmail === undefined ? {} : { Subscription: [{ Protocol: 'email', Endpoint: alertEmail }] },
})

/** Patterns for the lines that our functions log, which are JSON from their first character. */
export const LOG_PATTERNS = {
  InternalErrors: '{ $.status = 500 }',
  JobErrors: '{ $.level = "error" && $.job = * }',
  Requests: '{ $.route = * }',
  Callbacks: '{ $.provider = * }',
} as const

/** Returns filters that count log lines, those of our functions and those of Lambda itself. */
function logFilters({ stage }: Watched): Record<string, Resource> {
  const filter = (name: string, pattern: string, value: string): Resource => ({
    Type: 'AWS::Logs::MetricFilter',
    Properties: {
      LogGroupName: { Ref: 'FunctionLogs' },
      FilterPattern: pattern,
      MetricTransformations: [
        { MetricNamespace: `PlatformApi/${stage}`, MetricName: name, MetricValue: value },
      ],
    },
  })
  // Lines of Lambda itself; the `?` of CloudWatch's patterns takes a line with any of these texts.
  const crash =
    '?"Task timed out" ?"Runtime exited" ?"Runtime.ExitError" ?"Runtime.ImportModuleError" ?"Status: error"'
  return {
    // Known failures of others, 502 and 503, are no error of ours: a stranger or a provider can cause them.
    InternalErrors: filter('InternalErrors', LOG_PATTERNS.InternalErrors, '1'),
    JobErrors: filter('JobErrors', LOG_PATTERNS.JobErrors, '1'),
    Requests: filter('Requests', LOG_PATTERNS.Requests, '1'),
    CallbackMilliseconds: filter('CallbackMilliseconds', LOG_PATTERNS.Callbacks, '$.durationMilliseconds'),
    Crashes: filter('Crashes', crash, '1'),
    InitMilliseconds: filter('InitMilliseconds', REPORT, '$init'),
  }
}

/**
 * Lambda's REPORT line of a cold start, word by word: `l…` are labels, `u…` units.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html
 */
const REPORT =
  '[report="REPORT", l1, id, l2, duration, u1, l3, l4, billed, u2, l5, l6, size, u3, l7, l8, l9, used, u4, l10="Init", l11, init, u5]'

const SHARES =
  'stats count() as requests, sum(status = 500) as failed, 100 - 100 * sum(status = 500) / count() as available, pct(durationMilliseconds, 50) as p50, pct(durationMilliseconds, 99) as p99'

/** Questions without an alarm, and the queries of the logs that answer them: they cost nothing until they are run. */
const LOG_QUERIES = [
  {
    title: 'By route: requests, faults of ours, availability, latency',
    log: 'FunctionLogs',
    query: `filter ispresent(route) | ${SHARES} by route | sort requests desc`,
  },
  {
    title: 'Callbacks by provider: within a second at the 99th percentile?',
    log: 'FunctionLogs',
    query: `filter ispresent(provider) | ${SHARES} by provider, code | sort requests desc`,
  },
  {
    title: 'Provider trouble: what could not be reached',
    log: 'FunctionLogs',
    query:
      'filter code = "provider_unavailable" | stats count() as refused by route, cause.message | sort refused desc',
  },
  {
    title: 'Mails that failed, by kind and cause',
    log: 'FunctionLogs',
    query:
      'filter message in ["MailFailed", "MailGivenUp"] | stats count() as mails by message, kind, cause | sort mails desc',
  },
  {
    title: 'Who asks most, by the keyed hash of the address',
    log: 'FunctionLogs',
    query:
      'filter ispresent(addressHash) | stats count() as requests, sum(status = 429) as throttled, sum(status in [401, 403]) as refused by addressHash | sort requests desc | limit 20',
  },
  {
    title: 'What the gateway refused by itself, by its reason',
    log: 'AccessLogs',
    query:
      'filter not ispresent(functionRequestId) or functionRequestId = "-" | stats count() as refused by status, route, error | sort refused desc | limit 20',
  },
]

/** The alarms of the service level's aims, in the order of the dashboard. */
export const SERVICE_LEVEL = [
  'ErrorBudgetFast',
  'ErrorBudgetSlow',
  'SlowCallbacks',
  'MailDelay',
  'OldestDuePayment',
] as const

const AIMS =
  '# Service level\n99.9 % of requests without a fault of ours, callbacks within a second (p99), mail within two minutes (p90), due payments within 30 minutes'

/** Three charts in a row, and the size of each in units of the dashboard's grid, which is 24 wide. */
const [COLUMNS, WIDTH, HEIGHT] = [3, 8, 6]

/** The page of the service level, each alarm's metric over time, and the queries of the logs. */
function dashboard(alarms: readonly Alarm[], { stackName, stage, region }: Watched): Resource {
  const isAim = ({ id }: Alarm) => SERVICE_LEVEL.some((aim) => aim === id)
  const byAim = alarms.filter(isAim).toSorted((one, other) => placeOf(one) - placeOf(other))
  const charts = [
    ...byAim.map((each) => alarmChart(each, region)),
    providerChart(stage, region),
    ...alarms.filter((each) => !isAim(each)).map((each) => alarmChart(each, region)),
  ]
  const headingHeight = 2
  const widgets = charts.map((chart, index) => ({
    ...chart,
    x: (index % COLUMNS) * WIDTH,
    y: headingHeight + Math.floor(index / COLUMNS) * HEIGHT,
    width: WIDTH,
    height: HEIGHT,
  }))
  const below = headingHeight + Math.ceil(charts.length / COLUMNS) * HEIGHT
  const queries = LOG_QUERIES.map(({ title, log, query }, index) => ({
    type: 'log',
    x: (index % 2) * 12,
    y: below + Math.floor(index / 2) * HEIGHT,
    width: 12,
    height: HEIGHT,
    properties: { title, region, view: 'table', query: `SOURCE '\${${log}}' | ${query}` },
  }))
  const heading = {
    type: 'text',
    x: 0,
    y: 0,
    width: 24,
    height: headingHeight,
    properties: { markdown: AIMS },
  }
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: `${stackName}-${region}`,
      DashboardBody: { 'Fn::Sub': JSON.stringify({ widgets: [heading, ...widgets, ...queries] }) },
    },
  }
}

const placeOf = ({ id }: Alarm): number => SERVICE_LEVEL.findIndex((aim) => aim === id)

const alarmChart = ({ id, because }: Alarm, region: string) => ({
  type: 'metric',
  properties: {
    title: because,
    region,
    annotations: { alarms: [`\${${id}Alarm.Arn}`] },
    view: 'timeSeries',
  },
})

/** Charts every provider account. CloudWatch searches for the accounts, since a secret holds their names. */
const providerChart = (stage: string, region: string) => ({
  type: 'metric',
  properties: {
    title: 'Calls that providers answered, in a hundred',
    region,
    metrics: [
      [
        {
          expression: `SEARCH('{PlatformApi,Stage,Provider} MetricName="ProviderSuccess" Stage="${stage}"', 'Average', 300) * 100`,
          id: 'answered',
        },
      ],
    ],
    yAxis: { left: { min: 0, max: 100 } },
    view: 'timeSeries',
  },
})
