import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { type Dependencies, dependency, type Resolved } from '#lib/config'
import type { Clock } from '#lib/kernel/clock'
import { lazyDeps } from './lazy-deps.ts'
import { log, type Settings } from './observe.ts'
import { clock } from './runtime.ts'

/** A function that no one calls over HTTP: the table's stream, an S3 event or a schedule starts it. */
export type JobSpec = {
  name: string
  summary: string
  deps: Dependencies
  run: (event: never, deps: never) => Promise<unknown>
}

/** A job as Lambda calls it. What it returns is the event source's to read, or a person's in the log. */
export type JobHandler = (event: unknown, context: Context) => Promise<unknown>

const jobSettings = dependency(
  ['LOG_LEVEL'],
  (config) => ({ ...config, PUBLIC_URL: '', CORS_ORIGINS: [] }) as Settings,
)

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
  const spec = declaration as unknown as JobSpec
  return { spec, handler: serveJob(spec) }
}

/** Everything a job depends on, what the builder itself needs included. */
export const allJobDeps = (spec: Pick<JobSpec, 'deps'>): Dependencies => ({
  settings: jobSettings,
  now: clock,
  ...spec.deps,
})

/** The middy stack of a job; `overrides` replaces dependencies by name. */
export function serveJob(spec: JobSpec, overrides: Record<string, unknown> = {}): JobHandler {
  const deps = lazyDeps(allJobDeps(spec), overrides)
  const write = (level: 'info' | 'error', line: Record<string, unknown>) => {
    const { settings, now } = deps() as { settings: Settings; now: Clock }
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
