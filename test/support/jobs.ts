import { serveJob } from '#lib/http/job'
import type { JobSpec } from '#lib/http/spec'
import { recorded } from './recorder.ts'

/** What Lambda says of an invocation that has a minute left. */
export const JOB_CONTEXT = { awsRequestId: 'test', getRemainingTimeInMillis: () => 60_000 }

/** Runs a job once through its whole stack, as a schedule starts it. `deps` replaces dependencies by name. */
export const runJob = <Result = unknown>(
  spec: JobSpec,
  deps: Record<string, unknown> = {},
  event: object = {},
): Promise<Result> =>
  recorded(spec, () => serveJob(spec, deps)(event, JOB_CONTEXT as never)) as Promise<Result>
