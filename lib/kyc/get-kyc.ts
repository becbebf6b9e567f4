import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { currentStatus, KycReason, type KycState, KycStatus } from '#lib/accounts/kyc-state'
import { type Clock, DAY_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { KycDocumentView } from './document.ts'
import type { KycReader } from './kyc-store.ts'

/** The next steps of a person's identity check. */
const KycNextStep = z.enum(['WAIT', 'HAND_IN_DOCUMENTS', 'RENEW']).meta({ id: 'KycNextStep' })

/** A person's identity as they see it themselves, without administrators' notes. */
export const KycView = z
  .object({
    kycStatus: KycStatus,
    reasons: z.array(KycReason).meta({ example: [] }),
    message: z.string().nullable(),
    expiresAt: Timestamp.nullable().meta({ example: '2026-12-20T17:00:00.000Z' }),
    waitingSince: Timestamp.nullable(),
    nextStep: KycNextStep.nullable(),
    documents: z.array(KycDocumentView),
  })
  .meta({ id: 'Kyc' })

/** Returns the caller's own identity check with their documents, oldest first. */
export async function getKyc(
  { kycStore, now }: { kycStore: KycReader; now: Clock },
  { id, kyc }: Account,
): Promise<z.input<typeof KycView>> {
  return {
    ...kyc,
    kycStatus: currentStatus(kyc, now()),
    nextStep: nextStepOf(kyc, now()),
    documents: await kycStore.listDocuments(id),
  }
}

/** The time before its end from which a verification can be renewed. */
const RENEWAL_SECONDS = 30 * DAY_SECONDS

function nextStepOf(kyc: KycState, now: Date): z.infer<typeof KycNextStep> | null {
  if (kyc.waitingSince !== null) return 'WAIT'
  const status = currentStatus(kyc, now)
  if (status === 'UNVERIFIED' || status === 'REJECTED') return 'HAND_IN_DOCUMENTS'
  if (status === 'EXPIRED') return 'RENEW'
  const endsSoon = kyc.expiresAt !== null && kyc.expiresAt <= timestamp(secondsAfter(now, RENEWAL_SECONDS))
  return endsSoon ? 'RENEW' : null
}
