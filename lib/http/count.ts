import { dependency } from '#lib/config'
import { systemClock } from '#lib/kernel/clock'
import { countMetric } from './log.ts'

/** Counts something worth an alarm, as a metric of its name. */
export type Count = (what: string) => void

/** The function's counter. */
export const counter = dependency(
  ['STAGE'],
  ({ STAGE }): Count =>
    (what) =>
      countMetric(STAGE, what, systemClock()),
)
