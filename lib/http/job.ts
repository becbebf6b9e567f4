import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import * as z from 'zod'
import { type Dependencies, dependency, lazyDeps, type Resolved } from '#lib/config/config'
import { Moment } from '#lib/kernel/clock'
import { describeCause } from './describe-cause.ts'
import { log } from './log.ts'
import { clock } from './runtime.ts'
import type { JobSpec, RemainingMilliseconds } from './spec.ts'

/** A job as Lambda calls it. Its result is for the event source, or for a reader of the log. */
export type JobHandler = (event: unknown, context: Context) => Promise<unknown>

const STACK_DEPS = { settings: dependency(['LOG_LEVEL'], (config) => config), now: clock }

/**
 * Declares a job. `run` must be safe to repeat: event sources deliver at least once. An error is logged and thrown
 * again, so that the event source delivers again.
 */
export function job<Event, D extends Dependencies>(declaration: {
  name: string
  summary: string
  deps: D
  /** Whether `{at}` in the event takes the place of the clock: a person runs it as of another time. */
  acceptsTime?: boolean
  run: (event: Event, deps: Resolved<D>, remainingMilliseconds: RemainingMilliseconds) => Promise<unknown>
}): { spec: JobSpec; handler: JobHandler } {
  const spec: JobSpec = { kind: 'job', ...declaration }
  return { spec, handler: serveJob(spec) }
}

/** Everything a job depends on, what the builder itself needs included. */
export const allJobDeps = ({ deps }: JobSpec): Dependencies => ({ ...STACK_DEPS, ...deps })

/** The middy stack of a job; `overrides` replaces dependencies by name. */
export function serveJob(spec: JobSpec, overrides: Record<string, unknown> = {}): JobHandler {
  const own = lazyDeps(STACK_DEPS, overrides)
  const deps = lazyDeps(spec.deps, overrides)
  const write = (level: 'info' | 'error', line: Record<string, unknown>) => {
    const { settings, now } = own()
    log(settings, level, { time: now().toISOString(), message: `job ${spec.name}`, job: spec.name, ...line })
  }
  const handler = middy<unknown, unknown>()
    .use({
      after: ({ response, context }) => write('info', { requestId: context.awsRequestId, result: response }),
      onError: ({ error, context }) =>
        write('error', {
          requestId: context.awsRequestId,
          cause: describeCause(error),
        }),
    })
    .handler((event, context) =>
      spec.run(event, depsAt(spec, deps(), event), () => context.getRemainingTimeInMillis()),
    )
  return (event, context) => handler(event, context)
}

const Timed = z.object({ at: Moment })

/** Returns the dependencies. If the event names a time, their clock shows that time. */
function depsAt({ name, acceptsTime = false }: JobSpec, deps: Record<string, unknown>, event: unknown) {
  const { data } = Timed.safeParse(event)
  if (!data) return deps
  if (!acceptsTime) throw new Error(`${name} accepts no time`)
  return { ...deps, now: () => new Date(data.at) }
}
