import { dependency } from '#lib/config'
import { systemClock } from '#lib/kernel/clock'
import { writeMetric } from './log.ts'

/** Counts something worth an alarm, as a metric of its name. */
export type Count = (what: string) => void

/** The function's counter. */
export const counter = dependency(
  ['STAGE'],
  ({ STAGE }): Count =>
    (what) =>
      writeMetric(STAGE, { name: what, value: 1, unit: 'Count' }, systemClock()),
)

/** Writes the age of the oldest waiting item, in seconds, as a metric of its name. */
export type Measure = (what: string, seconds: number) => void

/** The function's measure of waiting. */
export const waitingMeasure = dependency(
  ['STAGE'],
  ({ STAGE }): Measure =>
    (what, seconds) =>
      writeMetric(STAGE, { name: what, value: seconds, unit: 'Seconds' }, systemClock()),
)
