import type { Account } from '#lib/accounts/account'
import { sha256 } from '#lib/kernel/signatures'
import type { KycDocument } from './document.ts'

/**
 * Returns the version of what an administrator decides by: the name, the agent profile's name, agency and licence, the
 * documents and the last decision.
 */
export function reviewVersion({ name, agent, kyc }: Account, documents: readonly KycDocument[]): string {
  const seen = [
    name,
    agent && [agent.displayName, agent.agency, agent.licenseNumber],
    documents.map(({ id }) => id),
    kyc.decisionCount,
  ]
  return sha256(JSON.stringify(seen), 'base64url').slice(0, 22)
}
