import * as z from 'zod'
import { UserId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import type { Write } from '#lib/kernel/write'

/** A correction above one administrator's limit, as it was asked for. */
export const AskedCorrection = z.object({
  by: z.string(),
  agentId: UserId,
  currency: Currency,
  amount: z.int(),
  /** Whether it was approved: an approval is of one correction. */
  isApproved: z.boolean(),
  expiresAtSeconds: z.int(),
})
export type AskedCorrection = z.infer<typeof AskedCorrection>

/** Where corrections wait for a second administrator, by the key of their request. */
export type AskedCorrections = {
  get: (key: string) => Promise<AskedCorrection | undefined>
  put: (key: string, correction: AskedCorrection) => Promise<void>
  /** Marks a correction as approved, once; else the error that is given. */
  approve: (key: string, correction: AskedCorrection, otherwise: () => Error) => Write
}
