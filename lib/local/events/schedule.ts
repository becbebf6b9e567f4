import { DAY_MILLISECONDS } from '#lib/kernel/clock'
import { rateMilliseconds } from './event-sources.ts'

const DAILY = /^cron\((\d{1,2}) (\d{1,2}) \* \* \? \*\)$/

/** Returns the next run of a schedule after a time. Throws for a `cron(…)` other than one time of every day, in UTC. */
export function nextRun(expression: string, after: Date): Date {
  const every = rateMilliseconds(expression)
  if (every !== undefined) return new Date(after.getTime() + every)
  const [, minute, hour] = expression.match(DAILY) ?? []
  if (minute === undefined || hour === undefined) {
    throw new Error(`The local stack reads rate(…) and cron(minute hour * * ? *), not ${expression}`)
  }
  const today = new Date(after).setUTCHours(Number(hour), Number(minute), 0, 0)
  return new Date(today > after.getTime() ? today : today + DAY_MILLISECONDS)
}

/** Runs work each time that a schedule is due. Returns a function that stops it. */
export function repeat(expression: string, work: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (due: Date) => {
    timer = setTimeout(() => {
      // A timer may fire a moment before `due`: counted from such a moment, the next run would be this one again.
      wait(nextRun(expression, new Date(Math.max(due.getTime(), Date.now()))))
      work()
    }, due.getTime() - Date.now())
  }
  wait(nextRun(expression, new Date()))
  return () => clearTimeout(timer)
}
