import { dependency } from '#lib/config'
import { privateObjects } from '#lib/private-objects.s3'
import type { ExportFiles } from './export-files.ts'
import { exportObjectKey, exportObjectPrefix } from './privacy.keys.ts'

/** Exports in the documents bucket. */
export const exportFiles = dependency(['DOCUMENTS_BUCKET'], ({ DOCUMENTS_BUCKET }): ExportFiles => {
  const objects = privateObjects(DOCUMENTS_BUCKET)
  return {
    put: (userId, exportId, content) =>
      objects.put(exportObjectKey(userId, exportId), { content, contentType: 'application/json' }),
    removeAll: (userId) => objects.removeAll(exportObjectPrefix(userId)),
  }
})
