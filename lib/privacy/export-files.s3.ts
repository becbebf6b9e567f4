import type { Config } from '#lib/config/config'
import { inBuckets } from '#lib/objects/buckets'
import { privateObjects } from '#lib/objects/private-objects.s3'
import type { ExportFiles } from './export-files.ts'
import { exportObjectKey, exportObjectPrefix } from './privacy.keys.ts'

const open = ({ DOCUMENTS_BUCKET }: Config<'DOCUMENTS_BUCKET'>): ExportFiles => {
  const objects = privateObjects(DOCUMENTS_BUCKET)
  return {
    put: (userId, exportId, content) =>
      objects.put(exportObjectKey(userId, exportId), { content, contentType: 'application/json' }),
    removeAll: (userId) => objects.removeAll(exportObjectPrefix(userId)),
  }
}

/** Stores exports in the documents bucket. */
export const exportFiles = inBuckets(
  ['DOCUMENTS_BUCKET'],
  (config): Pick<ExportFiles, 'put'> => open(config),
  { 'exports/': ['put'] },
)

/** Removes every export of a person. */
export const exportEraser = inBuckets(
  ['DOCUMENTS_BUCKET'],
  (config): Pick<ExportFiles, 'removeAll'> => open(config),
  { 'exports/': ['list', 'remove'] },
)
