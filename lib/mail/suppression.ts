import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import type { Write } from '#lib/kernel/write'

/** The reason for which an address is mailed no more. */
const SuppressionReason = z.enum(['bounced', 'complained'])

/** The suppression of an address: it receives no mail until an administrator sends one to it again. */
export const Suppression = z.object({ reason: SuppressionReason, at: Timestamp })
export type Suppression = z.infer<typeof Suppression>

/** The addresses that are mailed no more. They are compared without regard to case. */
export type SuppressionList = {
  get: (address: string) => Promise<Suppression | undefined>
  add: (address: string, suppression: Suppression) => Write
  lift: (address: string) => Write
}

/** Returns the error that administrators see of a mail that is not sent. */
export const suppressionError = ({ reason, at }: Suppression): string =>
  `a mail to this address ${reason === 'bounced' ? 'bounced' : 'was complained of'} at ${at}`
