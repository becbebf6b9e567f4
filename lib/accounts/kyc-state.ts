import * as z from 'zod'
import { Timestamp, timestamp } from '#lib/kernel/clock'

/** Where a person stands in proving who they are. */
export const KycStatus = z
  .enum(['UNVERIFIED', 'PENDING', 'VERIFIED', 'REJECTED', 'EXPIRED'])
  .meta({ id: 'KycStatus', example: 'VERIFIED' })
export type KycStatus = z.infer<typeof KycStatus>

/** Why an administrator decided as they did, as codes that a client translates. */
export const KycReason = z
  .enum([
    'document_expired',
    'document_unreadable',
    'document_cropped',
    'document_type_not_accepted',
    'document_side_missing',
    'document_tampered',
    'name_mismatch',
    'birthdate_mismatch',
    'underage',
    'address_mismatch',
    'selfie_missing',
    'selfie_mismatch',
    'duplicate_identity',
    'country_not_supported',
    'licence_invalid',
    'licence_expired',
    'suspected_fraud',
    'other',
  ])
  .meta({ id: 'KycReason' })
export type KycReason = z.infer<typeof KycReason>

/** The statuses that a decision may lead to from each status; every other move is refused. */
const TRANSITIONS: Record<KycStatus, readonly KycStatus[]> = {
  UNVERIFIED: ['PENDING', 'VERIFIED', 'REJECTED'],
  PENDING: ['VERIFIED', 'REJECTED', 'UNVERIFIED'],
  VERIFIED: ['PENDING', 'REJECTED', 'EXPIRED'],
  REJECTED: ['PENDING', 'VERIFIED'],
  EXPIRED: ['PENDING', 'VERIFIED', 'REJECTED'],
}

/** Returns the statuses that a decision may lead to. */
export const allowedMoves = (from: KycStatus): readonly KycStatus[] => TRANSITIONS[from]

/** The newest decision, kept with the account. `decisionCount` rises with each. */
export const KycState = z.object({
  status: KycStatus,
  previousStatus: KycStatus.meta({ example: 'PENDING' }),
  /** A code of a newer version reads as `other`. */
  reasons: z.array(KycReason.catch('other')).meta({ example: [] }),
  /** The decision's message to the person. */
  message: z.string().nullable(),
  /** A note that only administrators see. */
  note: z.string().nullable().meta({ example: 'Checked by telephone.' }),
  expiresAt: Timestamp.nullable().meta({ example: '2026-12-20T17:00:00.000Z' }),
  decidedBy: z.string().nullable().meta({ example: 'adm-7f3a' }),
  decidedAt: Timestamp.nullable().meta({ example: '2026-11-20T17:00:00.000Z' }),
  decisionCount: z.int(),
  /** Counts the documents that were handed in and not withdrawn. */
  documentCount: z.int(),
  /** Whether a VERIFIED person's name or agent profile waits for a decision: until then the person is not public. */
  agentWaits: z.boolean(),
  /** The start of the wait for a decision; null while no decision is due. */
  waitingSince: Timestamp.nullable(),
})
export type KycState = z.infer<typeof KycState>

/** Before anyone has decided anything. */
export const UNDECIDED: KycState = {
  status: 'UNVERIFIED',
  previousStatus: 'UNVERIFIED',
  reasons: [],
  message: null,
  note: null,
  expiresAt: null,
  decidedBy: null,
  decidedAt: null,
  decisionCount: 0,
  documentCount: 0,
  agentWaits: false,
  waitingSince: null,
}

/** Returns the status that counts now: a verification whose time has passed is EXPIRED, whether recorded yet or not. */
export const currentStatus = ({ status, expiresAt }: KycState, now: Date): KycStatus =>
  status === 'VERIFIED' && expiresAt !== null && expiresAt <= timestamp(now) ? 'EXPIRED' : status
