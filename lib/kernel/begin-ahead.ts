/**
 * Returns work that begins before it is known whether its result is needed. Only whoever awaits it receives its failure,
 * so that a refusal that comes first stays what the caller is told.
 */
export function beginAhead<Result>(work: Promise<Result>): Promise<Result> {
  work.catch(() => undefined)
  return work
}
