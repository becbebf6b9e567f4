import type * as z from 'zod'

/**
 * The position of a long job. A job that takes longer than one invocation stores its position after each piece. The
 * next invocation continues there; a broken one is repeated from its last position.
 */
export type Progress = {
  /** The position stored last; undefined before the first piece and after the last. */
  read: <Position>(job: string, schema: z.ZodType<Position>) => Promise<Position | undefined>
  store: (job: string, position: unknown) => Promise<void>
  /** Forgets the position, so that the next invocation begins again. */
  finish: (job: string) => Promise<void>
}
