import { dependency } from '#lib/config'
import { privateObjects } from '#lib/private-objects.s3'
import type { DocumentFiles } from './document-files.ts'
import { documentObjectKey, documentObjectPrefix } from './kyc.keys.ts'

/** KYC documents in the documents bucket. */
export const documentFiles = dependency(['DOCUMENTS_BUCKET'], ({ DOCUMENTS_BUCKET }): DocumentFiles => {
  const objects = privateObjects(DOCUMENTS_BUCKET)
  return {
    put: (userId, documentId, file) => objects.put(documentObjectKey(userId, documentId), file),
    remove: (userId, documentId) => objects.remove(documentObjectKey(userId, documentId)),
    removeAll: (userId) => objects.removeAll(documentObjectPrefix(userId)),
  }
})
