import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { currentStatus, KycReason, KycStatus } from '#lib/accounts/kyc-state'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import { KycDocumentView } from './document.ts'
import type { KycRecords } from './kyc-records.ts'

/** Where a person stands and what to do next, as they see it; what is noted about them is not theirs to see. */
export const KycView = z
  .object({
    kycStatus: KycStatus,
    reasons: z.array(KycReason),
    message: z.string().nullable(),
    expiresAt: Timestamp.nullable(),
    documents: z.array(KycDocumentView),
  })
  .meta({ id: 'Kyc' })

/** The caller's own identity as it stands, their documents oldest first. */
export async function getKyc(
  { records, now }: { records: KycRecords; now: Clock },
  { id, kyc }: Account,
): Promise<z.input<typeof KycView>> {
  return { ...kyc, kycStatus: currentStatus(kyc, now()), documents: await records.documents(id) }
}
