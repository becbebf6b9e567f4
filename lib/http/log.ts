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

/** A counted metric in CloudWatch's embedded metric format, read from the log line itself. */
export const metric = (name: string, at: Date): Record<string, unknown> => ({
  [name]: 1,
  _aws: {
    Timestamp: at.getTime(),
    CloudWatchMetrics: [
      { Namespace: 'PlatformApi', Dimensions: [[]], Metrics: [{ Name: name, Unit: 'Count' }] },
    ],
  },
})
