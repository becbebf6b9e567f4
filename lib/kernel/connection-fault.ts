/** The codes of Node's errors of connections, and of names that cannot be resolved. */
const UNCONNECTED: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Whether a request failed without an answer, so that a later attempt may succeed. */
export const isConnectionFault = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || ('code' in error && UNCONNECTED.has(error.code)))
