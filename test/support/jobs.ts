import { serveJob } from '#lib/http/job'
import type { JobSpec } from '#lib/http/spec'
import { LAMBDA_CONTEXT } from './lambda-context.ts'

/** Runs a job once through its whole stack, as a schedule starts it. `deps` replaces dependencies by name. */
export const runJob = <Result = unknown>(
  spec: JobSpec,
  deps: Record<string, unknown> = {},
  event: object = {},
): Promise<Result> => serveJob(spec, deps)(event, LAMBDA_CONTEXT) as Promise<Result>
