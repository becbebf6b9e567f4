import type * as z from 'zod'
import type { UserId } from '#lib/kernel/id'
import type { Answers } from './answers.ts'

/** Keeps the answer statistics of agents with many enquiries for an hour. */
export type AnswerCache = {
  get: (agentId: UserId, now: Date) => Promise<{ answers: z.infer<typeof Answers> | null } | undefined>
  put: (agentId: UserId, answers: z.infer<typeof Answers> | null, now: Date) => Promise<void>
}
