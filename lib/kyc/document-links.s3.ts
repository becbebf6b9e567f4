import { inBuckets } from '#lib/objects/buckets'
import { privateLink } from '#lib/objects/private-objects.s3'
import { type DocumentLinks, LINK_SECONDS } from './document-files.ts'
import { documentObjectKey } from './kyc.keys.ts'

/** Links to KYC documents in the documents bucket. Functions that store and remove documents may not read them. */
export const documentLinks = inBuckets(
  ['DOCUMENTS_BUCKET'],
  ({ DOCUMENTS_BUCKET }): DocumentLinks => ({
    linkTo: (userId, documentId) =>
      privateLink(DOCUMENTS_BUCKET, documentObjectKey(userId, documentId), LINK_SECONDS),
  }),
  { 'documents/': ['get'] },
)
