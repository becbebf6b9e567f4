/**
 * Returns a read that begins before it is known whether its result is needed. Only whoever awaits it receives its failure,
 * so that a refusal that comes first stays what the caller is told.
 */
export function readAhead<Result>(read: Promise<Result>): Promise<Result> {
  read.catch(() => undefined)
  return read
}
