import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { DocumentId } from '#lib/kernel/id'

/** The most documents a person may hand in. */
export const DOCUMENTS_MAX = 50

/** What a document is said to be. */
export const DocumentType = z
  .enum(['passport', 'national_id', 'driving_licence', 'proof_of_address', 'selfie', 'business_registration'])
  .meta({ id: 'KycDocumentType' })

/** A document that a person has handed in, as it is kept. Its bytes are elsewhere, see `DocumentFiles`. */
export const KycDocument = z.object({
  id: DocumentId,
  type: DocumentType,
  contentType: z.string(),
  bytes: z.int(),
  /** Hex SHA-256: the same bytes as the same type are one document. */
  sha256: z.string(),
  createdAt: Timestamp,
})
export type KycDocument = z.infer<typeof KycDocument>

/** A document as its owner sees it. */
export const KycDocumentView = KycDocument.omit({ sha256: true }).meta({ id: 'KycDocument' })
