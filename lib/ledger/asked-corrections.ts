import * as z from 'zod'
import { UserId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import type { Write } from '#lib/kernel/write'

/** A correction above one administrator's limit, as the first administrator asked for it. */
export const AskedCorrection = z.object({
  /** The first administrator. */
  by: z.string(),
  agentId: UserId,
  currency: Currency,
  /** In minor units; a positive amount is owed to the agent. */
  amount: z.int(),
  /** Whether it was approved. An approval serves for one correction. */
  isApproved: z.boolean(),
  expiresAtSeconds: z.int(),
})
export type AskedCorrection = z.infer<typeof AskedCorrection>

/** Where corrections wait for a second administrator, by the key of their request. */
export type AskedCorrections = {
  get: (key: string) => Promise<AskedCorrection | undefined>
  /** Stores a correction in place of the one that was seen; `WriteConflict` where that has changed meanwhile. */
  put: (key: string, seen: AskedCorrection | undefined, correction: AskedCorrection) => Promise<void>
  /** Marks a correction as approved, once. The second time, the transaction fails with the error of `otherwise`. */
  approve: (key: string, correction: AskedCorrection, otherwise: () => Error) => Write
}
