/** The level of the log: lines below it are left out. */
type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

const LEVELS: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3, silent: 4 }

/**
 * Writes a line to standard output as it is. `console.log` does not fit: Lambda puts time, request id and level before
 * the text, and a metric filter for JSON cannot match such a line.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
const writeLine = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** Writes one JSON line, unless the configured level is above it. */
export function log(
  settings: { LOG_LEVEL: LogLevel },
  level: 'info' | 'warn' | 'error',
  line: Record<string, unknown>,
): void {
  if (LEVELS[level] >= LEVELS[settings.LOG_LEVEL]) writeLine({ level, ...line })
}

/** The value of a metric. */
type Measured = {
  name: string
  value: number
  unit: 'Count' | 'Seconds'
  /** Dimensions in addition to the stage. The metric is kept both with and without them. */
  by?: Readonly<Record<string, string>>
}

/**
 * Writes a metric: a line of its own in CloudWatch's embedded metric format, whatever the log level.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function writeMetric(stage: string, { name, value, unit, by = {} }: Measured, at: Date): void {
  const names = Object.keys(by)
  const definition = {
    Namespace: 'PlatformApi',
    Dimensions: [['Stage'], ...(names.length > 0 ? [['Stage', ...names]] : [])],
    Metrics: [{ Name: name, Unit: unit }],
  }
  const _aws = { Timestamp: at.getTime(), CloudWatchMetrics: [definition] }
  writeLine({ message: name, Stage: stage, ...by, [name]: value, _aws })
}
