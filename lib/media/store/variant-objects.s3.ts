import { CopyObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { s3 } from '#lib/objects/s3-client'
import { originalKey, publicKey, publicPrefix, variantKey, variantPrefixes } from './media.keys.ts'
import { deleteObjects, listObjects } from './media-bucket.s3.ts'
import { readObjectName } from './object-names.ts'
import type { VariantStore } from './variant-store.ts'

/** The time for which caches may keep a variant. The bytes behind a hash never change; whether they are public does. */
const CACHE_SECONDS = 300

/** Opens the variants in S3. This file is imported at the first use, because most requests need no variant. */
export function variantObjects(Bucket: string): VariantStore {
  const keysUnder = async (prefix: string) => {
    const keys: string[] = []
    for await (const page of listObjects(Bucket, prefix)) keys.push(...page.map(({ key }) => key))
    return keys
  }
  return {
    put: async (name, content, contentType) => {
      await s3().send(
        new PutObjectCommand({
          Bucket,
          Key: variantKey(name),
          Body: content,
          ContentType: contentType,
          CacheControl: `max-age=${CACHE_SECONDS}`,
        }),
      )
    },
    putStream: async (name, content, contentType) => {
      const { putInParts } = await import('./put-in-parts.s3.ts')
      await putInParts(content, {
        Bucket,
        Key: variantKey(name),
        ContentType: contentType,
        CacheControl: `max-age=${CACHE_SECONDS}`,
      })
    },
    published: async (agentId, listingId) => {
      const keys = await keysUnder(publicPrefix(agentId, listingId))
      return keys.flatMap((key) => {
        const object = readObjectName(key)
        return object?.kind === 'public' ? [object.name] : []
      })
    },
    publish: async (name) => {
      // A copy keeps the type and how long it may be cached.
      await s3().send(
        new CopyObjectCommand({ Bucket, Key: publicKey(name), CopySource: `${Bucket}/${variantKey(name)}` }),
      )
    },
    withdraw: (names) => deleteObjects(Bucket, names.map(publicKey)),
    removeAll: async (agentId, name) => {
      const made = await Promise.all(variantPrefixes(agentId, name).map(keysUnder))
      await deleteObjects(Bucket, [originalKey(name), ...made.flat()])
    },
  }
}
