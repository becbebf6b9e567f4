import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { type Dependencies, dependency, type Resolved } from '#lib/config'
import { lazyDeps } from '#lib/http/stack/lazy-deps'
import { log } from './log.ts'
import { clock } from './runtime.ts'
import type { JobSpec } from './spec.ts'

/** A job as Lambda calls it. What it returns is the event source's to read, or a person's in the log. */
export type JobHandler = (event: unknown, context: Context) => Promise<unknown>

const STACK_DEPS = { settings: dependency(['LOG_LEVEL'], (config) => config), now: clock }

/**
 * Declares a job. `run` must be safe to repeat: event sources deliver at least once. What it throws is logged
 * and thrown on, so that the event source delivers again.
 */
export function job<Event, D extends Dependencies>(declaration: {
  name: string
  summary: string
  deps: D
  run: (event: Event, deps: Resolved<D>) => Promise<unknown>
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
  return middy<unknown, unknown>()
    .use({
      after: ({ response, context }) => write('info', { requestId: context.awsRequestId, result: response }),
      onError: ({ error, context }) =>
        write('error', {
          requestId: context.awsRequestId,
          cause: `${error?.name}: ${error?.message}`,
          stack: error?.stack,
        }),
    })
    .handler((event) => spec.run(event as never, deps() as never)) as unknown as JobHandler
}
