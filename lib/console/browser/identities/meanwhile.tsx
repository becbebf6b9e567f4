import type { Schema } from '../api/schemas.ts'
import { type Difference, Differences } from '../parts/differences.tsx'
import { codes, words } from '../words/words.ts'

type Review = Schema<'KycReview'>

/** Shows what another changed while the reader decided. */
export const Meanwhile = ({ of }: { of: readonly Difference[] }) => (
  <div class="notice warn" role="alert">
    <p>{words.decision.changed}</p>
    <Differences of={of} label={words.decision.changed} />
  </div>
)

/** Returns the fields of a person that another may change while the reader decides. */
export function fieldsOf({ user, agent, documents, kycStatus, decisions }: Review): Record<string, string> {
  const status = codes.kycStatus[kycStatus]
  const decidedBy = decisions[0]?.decidedBy
  return {
    name: user.name ?? '',
    displayName: agent?.displayName ?? '',
    agency: agent?.agency ?? '',
    licenseNumber: agent?.licenseNumber ?? '',
    documents: documents.map(({ type }) => codes.documentType[type]).join(', '),
    kycStatus: decidedBy ? `${status} (${decidedBy})` : status,
  }
}
