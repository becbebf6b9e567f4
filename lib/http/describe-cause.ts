/** The cause of a fault as the log holds it. */
export type Cause = { name: string; message: string; stack: string; cause?: Cause }

/**
 * Returns the parts of a fault's cause that a log may hold. The message of an error of AWS or of zod may quote
 * keys and values: only its beginning is kept.
 */
export function describeCause(error: unknown): Cause {
  if (!(error instanceof Error)) return { name: typeof error, message: '', stack: '' }
  const { name, message, stack = '', cause } = error
  const beginning = message.split(/[:{[("'`#=]/, 1)[0]?.trim()
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    name,
    message: mayQuoteData(error) ? beginning || name : message,
    stack: frames.join('\n'),
    ...(cause !== undefined && { cause: describeCause(cause) }),
  }
}

/** Whether an error is of AWS, which sets `$metadata`, or of zod, which sets `issues`. */
const mayQuoteData = (error: Error): boolean => '$metadata' in error || 'issues' in error
