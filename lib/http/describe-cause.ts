/** The cause of a fault as the log holds it. */
export type Cause = { name: string; message: string; stack: string; cause?: Cause }

/**
 * Returns what a log may say of a fault's cause. An error of the AWS SDK or of a schema may spell keys, values and
 * expressions: of its message the beginning stays.
 */
export function describeCause(error: unknown): Cause {
  if (!(error instanceof Error)) return { name: typeof error, message: '', stack: '' }
  const { name, message, stack = '', cause } = error
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    name,
    message: mayQuoteData(error) ? message.split(/[:{[("'`#=]/, 1)[0]?.trim() || name : message,
    stack: frames.join('\n'),
    ...(cause !== undefined && { cause: describeCause(cause) }),
  }
}

const mayQuoteData = (error: Error): boolean => '$metadata' in error || 'issues' in error
