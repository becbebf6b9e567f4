import { dependency } from '#lib/config/config'
import { systemClock } from '#lib/kernel/clock'
import { log, writeMetric } from './log.ts'

/** Counts something worth an alarm, as a metric of its name. */
type Count = (what: string) => void

/** The counter, as a dependency of functions. */
export const counter = dependency(
  ['STAGE'],
  ({ STAGE }): Count =>
    (what) =>
      writeMetric(STAGE, { name: what, value: 1, unit: 'Count' }, systemClock()),
)

/** Writes the age of the oldest waiting item, in seconds, as a metric of its name. */
type Measure = (what: string, seconds: number) => void

/** The measure of waiting, as a dependency of functions. */
export const waitingMeasure = dependency(
  ['STAGE'],
  ({ STAGE }): Measure =>
    (what, seconds) =>
      writeMetric(STAGE, { name: what, value: seconds, unit: 'Seconds' }, systemClock()),
)

/** Counts a failure as a metric of its name, also by its kind, and logs its cause. It is a warning: what failed is tried again. */
type CountFailure = (what: string, kind: string, cause: string) => void

/** The counter of failures, as a dependency of functions. */
export const failureCounter = dependency(
  ['STAGE', 'LOG_LEVEL'],
  (settings): CountFailure =>
    (what, kind, cause) => {
      const at = systemClock()
      log(settings, 'warn', { time: at.toISOString(), message: what, kind, cause })
      writeMetric(settings.STAGE, { name: what, value: 1, unit: 'Count', by: { Kind: kind } }, at)
    },
)
