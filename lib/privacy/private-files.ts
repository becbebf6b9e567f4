import type { DocumentId, EventId, UserId } from '#lib/kernel/id'

/** Names a file that is private to a person: a KYC document, or an export of everything held about them. */
export type PrivateFile = { userId: UserId; documentId: DocumentId } | { userId: UserId; exportId: EventId }

/** What is kept of a file. */
export type PrivateContent = { content: Buffer; contentType: string }

/** How long a link lives. */
export const LINK_SECONDS = 5 * 60

/** Where private files lie, encrypted. Nobody reaches one but by a link, which needs no credential itself. */
export type PrivateFiles = {
  put: (file: PrivateFile, content: PrivateContent) => Promise<void>
  remove: (file: PrivateFile) => Promise<void>
  /** Removes everything of a person's, documents and exports. */
  removeAll: (userId: UserId) => Promise<void>
  /** A link that lives five minutes; the browser saves what it opens, it never shows it. */
  linkTo: (file: PrivateFile) => Promise<string>
}
