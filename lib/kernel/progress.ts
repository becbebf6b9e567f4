import type * as z from 'zod'

/**
 * How far a long job has come. A job that takes longer than one invocation stores its position after each piece; the
 * next invocation continues there, and an invocation that broke off is repeated from its last stored position.
 */
export type Progress = {
  /** The position stored last; undefined before the first piece and after the last. */
  read: <Position>(job: string, schema: z.ZodType<Position>) => Promise<Position | undefined>
  store: (job: string, position: unknown) => Promise<void>
  /** Forgets the position, so that the next invocation begins again. */
  finish: (job: string) => Promise<void>
}
