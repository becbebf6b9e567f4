/**
 * Returns work that begins before its result is known to be needed. Its failure reaches only the code that awaits it, so
 * that an earlier refusal stays the answer.
 */
export function beginAhead<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined)
  return work
}
