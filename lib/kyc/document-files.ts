import { MINUTE_SECONDS } from '#lib/kernel/clock'
import type { DocumentId, UserId } from '#lib/kernel/id'

/** The time for which a link to a document works. */
export const LINK_SECONDS = 5 * MINUTE_SECONDS

/** Where the bytes of KYC documents are stored, encrypted. */
export type DocumentFiles = {
  put: (
    userId: UserId,
    documentId: DocumentId,
    file: { content: Buffer; contentType: string },
  ) => Promise<void>
  remove: (userId: UserId, documentId: DocumentId) => Promise<void>
  /** Removes every document of a person. */
  removeAll: (userId: UserId) => Promise<void>
}

/** The only way to read a document. */
export type DocumentLinks = {
  /** A link that works for five minutes without a credential; a browser saves the file and does not show it. */
  linkTo: (userId: UserId, documentId: DocumentId) => Promise<string>
}
