import type { EventId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { decisionKey } from './kyc.keys.ts'
import type { KycState } from './kyc.ts'

/** The lasting record of a decision: who, when, from where to where, and why. Never changed. */
export const recordDecision = (userId: UserId, decisionId: EventId, decision: KycState): Write => ({
  put: { ...decisionKey(userId, decisionId), kind: 'kyc-decision', id: decisionId, userId, ...decision },
  when: 'absent',
})
