import { sha256 } from '#lib/kernel/signatures'
import { openCopy } from './copy.ts'
import { sampleListings } from './sample-listings.ts'
import { INDEXES, TABLES } from './schema.ts'
import { wholeChangeOf } from './search-row.ts'

/**
 * The version of the copy: a hash of its tables, and of all that it holds of sample listings. Each version has snapshots of
 * its own. Packaging calls this once and ships the hash in its place.
 */
export const schemaVersion = (): string => VERSION

const changes = sampleListings().map(wholeChangeOf)
const copy = openCopy()
copy.apply(changes, 0)
const held = ['listing', 'agent', 'place', 'feature', 'features', 'has', 'spot'].map((table) =>
  copy.all(`SELECT * FROM ${table}`, []),
)
copy.close()
const VERSION = sha256(JSON.stringify([TABLES, INDEXES, changes, held]), 'base64url').slice(0, 16)
