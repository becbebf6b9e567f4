import { inBuckets } from '#lib/objects/buckets'
import { privateLink } from '#lib/objects/private-objects.s3'
import { EXPORT_LINK_SECONDS, type ExportLinks } from './export-files.ts'
import { exportObjectKey } from './privacy.keys.ts'

/** Links to exports in the documents bucket. Functions that remove exports may not read them. */
export const exportLinks = inBuckets(
  ['DOCUMENTS_BUCKET'],
  ({ DOCUMENTS_BUCKET }): ExportLinks => ({
    linkTo: (userId, exportId) =>
      privateLink(DOCUMENTS_BUCKET, exportObjectKey(userId, exportId), EXPORT_LINK_SECONDS),
  }),
  { 'exports/': ['get'] },
)
