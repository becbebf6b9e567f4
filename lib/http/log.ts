/** How much is logged: lines below the level are left out. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

const LEVELS: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

/** One JSON line on standard output, unless the configured level is above it. */
export function log(
  settings: { LOG_LEVEL: LogLevel },
  level: 'info' | 'warn' | 'error',
  line: Record<string, unknown>,
): void {
  if (LEVELS[level] >= LEVELS[settings.LOG_LEVEL]) console.log(JSON.stringify({ level, ...line }))
}

/** The value of a metric. */
export type Measured = { name: string; value: number; unit: 'Count' | 'Seconds' }

/**
 * Writes a metric: a line of its own in CloudWatch's embedded metric format, whatever the log level.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function writeMetric(stage: string, { name, value, unit }: Measured, at: Date): void {
  const definition = {
    Namespace: 'PlatformApi',
    Dimensions: [['Stage']],
    Metrics: [{ Name: name, Unit: unit }],
  }
  const _aws = { Timestamp: at.getTime(), CloudWatchMetrics: [definition] }
  console.log(JSON.stringify({ message: name, Stage: stage, [name]: value, _aws }))
}
