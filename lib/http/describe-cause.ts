/** The cause of a fault as the log holds it. */
type Cause = { name: string; message: string; stack: string; cause?: Cause }

/**
 * Returns the parts of a fault's cause that a log may hold. The message of an error of AWS or of zod may quote
 * keys and values: only its beginning is kept. That of a syntax error quotes the text that was read: nothing of it is kept.
 */
export function describeCause(error: unknown): Cause {
  if (!(error instanceof Error)) return { name: typeof error, message: '', stack: '' }
  const { name, stack = '', cause } = error
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return {
    name,
    message: messageOf(error),
    stack: frames.join('\n'),
    ...(cause !== undefined && { cause: describeCause(cause) }),
  }
}

function messageOf(error: Error): string {
  const { name, message } = error
  if (error instanceof SyntaxError) return name
  const beginning = message.split(/[:{[("'`#=]/, 1)[0]?.trim()
  return mayQuoteData(error) ? beginning || name : message
}

/** Whether an error is of AWS, which sets `$metadata`, or of zod, which sets `issues`. */
const mayQuoteData = (error: Error): boolean => '$metadata' in error || 'issues' in error
