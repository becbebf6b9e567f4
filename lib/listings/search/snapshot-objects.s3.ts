import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NotFound,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { sha256 as sha256Of } from '#lib/kernel/signatures'
import { s3 } from '#lib/objects/s3-client'
import { schemaVersion } from './schema-version.derived.ts'
import { snapshotObjectKey } from './search.keys.ts'
import type { Snapshots } from './snapshots.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Opens the objects of snapshots, compressed with zstd. */
export const snapshotObjects = (
  Bucket: string,
): Pick<Snapshots, 'load' | 'isThere' | 'store' | 'remove'> => ({
  load: async ({ name, sha256 }) => {
    const Key = snapshotObjectKey(schemaVersion(), name)
    const { Body } = await s3().send(new GetObjectCommand({ Bucket, Key }))
    const bytes = await Body?.transformToByteArray()
    if (!bytes || sha256Of(bytes) !== sha256) throw new Error(`The snapshot ${name} is damaged`)
    return decompress(bytes)
  },
  isThere: async (name) => {
    const Key = snapshotObjectKey(schemaVersion(), name)
    try {
      await s3().send(new HeadObjectCommand({ Bucket, Key }))
      return true
    } catch (error) {
      if (error instanceof NotFound) return false
      throw error
    }
  },
  store: async (packed) => {
    const bytes = await compress(packed)
    const name = randomUUID()
    const Key = snapshotObjectKey(schemaVersion(), name)
    await s3().send(new PutObjectCommand({ Bucket, Key, Body: bytes, ContentType: 'application/zstd' }))
    return { name, sha256: sha256Of(bytes) }
  },
  remove: async (name) => {
    const Key = snapshotObjectKey(schemaVersion(), name)
    await s3().send(new DeleteObjectCommand({ Bucket, Key }))
  },
})
