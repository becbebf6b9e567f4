import type * as z from 'zod'
import type { UserId } from '#lib/kernel/id'
import type { Answers } from './answers.ts'

/** Keeps for an hour how agents with many enquiries answer. */
export type AnswerCache = {
  get: (agentId: UserId, now: Date) => Promise<{ answers: z.infer<typeof Answers> | null } | undefined>
  put: (agentId: UserId, answers: z.infer<typeof Answers> | null, now: Date) => Promise<void>
}
