import type { Config } from '#lib/config/config'
import { inBuckets } from '#lib/objects/buckets'
import { privateObjects } from '#lib/objects/private-objects.s3'
import type { DocumentFiles } from './document-files.ts'
import { documentObjectKey, documentObjectPrefix } from './kyc.keys.ts'

const open = ({ DOCUMENTS_BUCKET }: Config<'DOCUMENTS_BUCKET'>): DocumentFiles => {
  const objects = privateObjects(DOCUMENTS_BUCKET)
  return {
    put: (userId, documentId, file) => objects.put(documentObjectKey(userId, documentId), file),
    remove: (userId, documentId) => objects.remove(documentObjectKey(userId, documentId)),
    removeAll: (userId) => objects.removeAll(documentObjectPrefix(userId)),
  }
}

/** Stores KYC documents in the documents bucket, and removes one that could not be recorded. */
export const documentFiles = inBuckets(
  ['DOCUMENTS_BUCKET'],
  (config): Pick<DocumentFiles, 'put' | 'remove'> => open(config),
  { 'documents/': ['put', 'remove'] },
)

/** Removes a KYC document. */
export const documentRemover = inBuckets(
  ['DOCUMENTS_BUCKET'],
  (config): Pick<DocumentFiles, 'remove'> => open(config),
  { 'documents/': ['remove'] },
)

/** Removes every KYC document of a person. */
export const documentEraser = inBuckets(
  ['DOCUMENTS_BUCKET'],
  (config): Pick<DocumentFiles, 'removeAll'> => open(config),
  { 'documents/': ['list', 'remove'] },
)
