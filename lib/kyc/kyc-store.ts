import * as z from 'zod'
import { KycState } from '#lib/accounts/kyc-state'
import { Timestamp } from '#lib/kernel/clock'
import { DocumentId, DocumentLinksId, EventId, type UserId } from '#lib/kernel/id'
import type { Commit, Write } from '#lib/kernel/write'
import type { KycDocument } from './document.ts'

/** A decision about a person, as its history keeps it. */
export const RecordedDecision = KycState.omit({
  documentCount: true,
  waitingSince: true,
  agentWaits: true,
}).extend({ id: EventId })
export type RecordedDecision = z.infer<typeof RecordedDecision>

/** Links to documents of a person that an administrator was given at one time. */
export const GivenLinks = z.object({
  id: DocumentLinksId,
  documentIds: z.array(DocumentId),
  /** An administrator's subject. */
  givenTo: z.string(),
  at: Timestamp,
  expiresAt: Timestamp,
})
export type GivenLinks = z.infer<typeof GivenLinks>

/** The end of a person's verification, and whether it was announced. */
export type Expiry = { userId: UserId; expiresAt: Timestamp; isAnnounced: boolean }

/** The records of a person's identity besides the account. Reads are consistent and complete. */
export type KycStore = {
  /** Oldest first; at most `DOCUMENTS_MAX`. Withdrawn documents are left out. */
  listDocuments: (userId: UserId) => Promise<KycDocument[]>
  /** Documents that were withdrawn and whose bytes may still be stored. */
  listWithdrawn: (userId: UserId) => Promise<KycDocument[]>
  /** The person whose document it is. One handed in within the last second may be missing. */
  ownerOf: (id: DocumentId) => Promise<UserId | undefined>
  /** Newest first. */
  listDecisions: (userId: UserId) => Promise<RecordedDecision[]>
  /** Oldest first. */
  listGivenLinks: (userId: UserId) => Promise<GivenLinks[]>
  /** The verifications that end on the UTC day of a moment and by `until`, soonest first. */
  listEndingOn: (day: Date, until: Timestamp) => Promise<Expiry[]>
  insertDecision: (userId: UserId, decision: RecordedDecision) => Write
  /**
   * Moves the entry that says when a verification ends; null stands for a verification that does not end. With `isAnnounced`
   * the new end needs no announcement.
   */
  moveExpiry: (
    userId: UserId,
    before: Timestamp | null,
    after: Timestamp | null,
    options?: { isAnnounced?: boolean },
  ) => Write[]
  /** Whether the end of a person's verification was announced, also if other decisions came since. */
  isExpiryAnnounced: (userId: UserId, expiresAt: Timestamp) => Promise<boolean>
  /** Stores that an end is announced, for decisions that set the same end again; `WriteConflict` if it was before. */
  recordAnnouncement: (userId: UserId, expiresAt: Timestamp) => Write
  /** Does the same for an entry of `listEndingOn`; `WriteConflict` also once a decision has moved the entry. */
  announceExpiry: (expiry: Expiry) => Write[]
  insertDocument: (userId: UserId, document: KycDocument) => Write
  removeDocument: (userId: UserId, document: KycDocument) => Write
  /** Marks an unseen document as withdrawn; `WriteConflict` once an administrator was given a link to it. */
  withdraw: (userId: UserId, document: KycDocument, at: Timestamp) => Write
  /** Records links that were given out, and that unseen documents are seen now; `WriteConflict` if one was withdrawn. */
  recordLinks: (userId: UserId, links: GivenLinks, documents: readonly KycDocument[]) => Write[]
  commit: Commit
}

export type KycReader = Pick<
  KycStore,
  | 'listDocuments'
  | 'listWithdrawn'
  | 'ownerOf'
  | 'listDecisions'
  | 'listGivenLinks'
  | 'listEndingOn'
  | 'isExpiryAnnounced'
>
