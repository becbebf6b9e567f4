import { MINUTE_SECONDS } from '#lib/kernel/clock'
import { newId } from '#lib/kernel/id'
import { inBuckets } from '#lib/objects/buckets'
import { privateLink, privateObjects } from '#lib/objects/private-objects.s3'
import { ledgerFileKey } from './ledger.keys.ts'

const LINK_SECONDS = 5 * MINUTE_SECONDS

/** Files of the ledger that are too large for an answer; the documents bucket removes them after a day. */
export const ledgerFiles = inBuckets(
  ['DOCUMENTS_BUCKET'],
  ({ DOCUMENTS_BUCKET }) => {
    const objects = privateObjects(DOCUMENTS_BUCKET)
    return {
      /** Stores a file and returns a link that works for five minutes without a credential. */
      store: async (csv: string): Promise<string> => {
        const key = ledgerFileKey(newId('export'))
        await objects.put(key, { content: Buffer.from(csv), contentType: 'text/csv' })
        return privateLink(DOCUMENTS_BUCKET, key, LINK_SECONDS)
      },
    }
  },
  { 'exports/': ['get', 'put'] },
)
