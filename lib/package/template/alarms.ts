import type { Resource, Template } from './template.ts'
import { type Alarm, alarmsOf, type Watched } from './watched.ts'

const TOPIC = 'Alerts'
const MINUTES_5 = 300

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
  const period = each.periodSeconds ?? MINUTES_5
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
  const combined = { Id: 'all', Expression: `${each.combine}(METRICS())`, Label: each.id, ReturnData: true }
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: {
      AlarmName: `${stackName}-${each.id}`,
      AlarmDescription: each.because,
      Metrics: each.combine === undefined ? queries : [combined, ...queries],
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: each.above,
      EvaluationPeriods: each.periods ?? 1,
      TreatMissingData: 'notBreaching',
      AlarmActions: [{ Ref: TOPIC }],
      OKActions: [{ Ref: TOPIC }],
    },
  }
}

const topic = (alertEmail: string | undefined): Resource => ({
  Type: 'AWS::SNS::Topic',
  Properties: alertEmail === undefined ? {} : { Subscription: [{ Protocol: 'email', Endpoint: alertEmail }] },
})

/** Counts of log lines, of ours and of Lambda's own. */
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
  const crash =
    '?"Task timed out" ?"Runtime exited" ?"Runtime.ExitError" ?"Runtime.ImportModuleError" ?"Status: error"'
  return {
    ErrorLines: filter('ErrorLines', '{ $.level = "error" }', '1'),
    Crashes: filter('Crashes', crash, '1'),
    InitMilliseconds: filter('InitMilliseconds', REPORT, '$init'),
  }
}

/** Lambda's REPORT line of a cold start. @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html */
const REPORT =
  '[report="REPORT", l1, id, l2, duration, u1, l3, l4, billed, u2, l5, l6, size, u3, l7, l8, l9, used, u4, l10="Init", l11, init, u5]'

/** Every alarm's value over time, beside the alarms' states. */
function dashboard(alarms: readonly Alarm[], { stackName, region }: Watched): Resource {
  const widgets = alarms.map(({ id, because }, index) => ({
    type: 'metric',
    ...{ x: (index % 3) * 8, y: Math.floor(index / 3) * 6, width: 8, height: 6 },
    properties: {
      title: because,
      region,
      annotations: { alarms: [`\${${id}Alarm.Arn}`] },
      view: 'timeSeries',
    },
  }))
  return {
    Type: 'AWS::CloudWatch::Dashboard',
    Properties: {
      DashboardName: `${stackName}-${region}`,
      DashboardBody: { 'Fn::Sub': JSON.stringify({ widgets }) },
    },
  }
}
