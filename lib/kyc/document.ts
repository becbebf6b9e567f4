import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { DocumentId } from '#lib/kernel/id'

/** The most documents a person may hand in. */
export const DOCUMENTS_MAX = 50

/** The types of documents, as their sender states them. */
export const DocumentType = z
  .enum(['passport', 'national_id', 'driving_licence', 'proof_of_address', 'selfie', 'business_registration'])
  .meta({ id: 'KycDocumentType' })

/** A document that a person has handed in, as it is kept. Its bytes are elsewhere, see `DocumentFiles`. */
export const KycDocument = z.object({
  id: DocumentId,
  type: DocumentType,
  contentType: z.string().meta({ example: 'image/jpeg' }),
  bytes: z.int().meta({ example: 248_113 }),
  /** Hex SHA-256: the same bytes as the same type are one document. */
  sha256: z.string(),
  createdAt: Timestamp,
  /** When an administrator was first given a link to it; absent until then. */
  seenAt: Timestamp.optional(),
  /** When its owner took it back; its bytes and its record are removed right after. */
  withdrawnAt: Timestamp.optional(),
})
export type KycDocument = z.infer<typeof KycDocument>

/** A document as its owner sees it. */
export const KycDocumentView = KycDocument.omit({ sha256: true, seenAt: true, withdrawnAt: true }).meta({
  id: 'KycDocument',
})

/** Returns the documents that no administrator was ever given a link to. */
export const unseenOf = (documents: readonly KycDocument[]): KycDocument[] =>
  documents.filter(({ seenAt }) => seenAt === undefined)
