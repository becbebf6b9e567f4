import { dependency } from '#lib/config'
import { systemClock } from '#lib/kernel/clock'
import { metric } from './log.ts'

/** Counts something worth an alarm, as a metric of its name. */
export type Count = (what: string) => void

/** The function's counter: a line of its own in CloudWatch's embedded metric format. */
export const counter = dependency(['LOG_LEVEL'], ({ LOG_LEVEL }): Count => {
  if (LOG_LEVEL === 'silent') return () => undefined
  return (what) =>
    console.log(JSON.stringify({ level: 'info', message: what, ...metric(what, systemClock()) }))
})
