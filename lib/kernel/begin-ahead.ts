/**
 * Returns work that was begun before its result is known to be needed. If the request is refused first, the work is
 * never awaited: then its failure is ignored, and does not end the process as an unhandled rejection.
 */
export function beginAhead<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined)
  return work
}
