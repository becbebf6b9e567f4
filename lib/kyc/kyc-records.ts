import * as z from 'zod'
import { KycState } from '#lib/accounts/kyc-state'
import { Timestamp } from '#lib/kernel/clock'
import { DocumentId, DocumentLinksId, EventId, type UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { KycDocument } from './document.ts'

/** A decision about a person as its lasting record has it. */
export const RecordedDecision = KycState.omit({ documents: true, waitingSince: true }).extend({ id: EventId })
export type RecordedDecision = z.infer<typeof RecordedDecision>

/** That somebody was given links to some of a person's documents. */
export const GivenLinks = z.object({
  id: DocumentLinksId,
  documentIds: z.array(DocumentId),
  /** An administrator's subject. */
  givenTo: z.string(),
  at: Timestamp,
  expiresAt: Timestamp,
})
export type GivenLinks = z.infer<typeof GivenLinks>

/** Whose verification ends, and when. */
export type Expiry = { userId: UserId; expiresAt: Timestamp }

/** What is kept beside an account about a person's identity. Reads are consistent and complete. */
export type KycRecords = {
  /** Oldest first; at most `DOCUMENTS_MAX`. */
  documents: (userId: UserId) => Promise<KycDocument[]>
  /** Newest first. */
  decisions: (userId: UserId) => Promise<RecordedDecision[]>
  /** Oldest first. */
  links: (userId: UserId) => Promise<GivenLinks[]>
  /** Whose verification ends on the day of a moment, and by `until`, soonest first. */
  endingOn: (day: Date, until: Timestamp) => Promise<Expiry[]>
  insertDecision: (userId: UserId, decision: RecordedDecision) => Write
  /** Moves the entry that says when a verification ends; null is never. */
  moveExpiry: (userId: UserId, before: Timestamp | null, after: Timestamp | null) => Write[]
  insertDocument: (userId: UserId, document: KycDocument) => Write
  removeDocument: (userId: UserId, document: KycDocument) => Write
  recordLinks: (userId: UserId, links: GivenLinks) => Write
  commit: Commit
}
