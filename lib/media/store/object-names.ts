import * as z from 'zod'
import { ListingId, MediaId, UserId } from '#lib/kernel/id'
import { FileKind } from '#lib/media/file-kind'
import type { OriginalName, PublicName, VariantName } from './media-links.ts'

const Hash = z.string().regex(/^[\w-]+$/)
const Name = z.object({ listingId: ListingId, mediaId: MediaId })
const Original = Name.extend({ kind: FileKind })
const Variant = Name.extend({ hash: Hash })
const Public = Variant.extend({ agentId: UserId })

/** The kind of an object in the media bucket, and the parts of its key. */
export type ObjectName =
  | { kind: 'original'; name: OriginalName }
  | { kind: 'variant'; name: VariantName }
  | { kind: 'public'; name: PublicName }

/** Reads a key of the media bucket, the reverse of `media.keys.ts`. Undefined for any other key. */
export function readObjectName(key: string): ObjectName | undefined {
  const [folder, ...rest] = key.split('/')
  const [first, second, third, fourth] = rest
  const shape = `${folder}/${rest.length}`
  if (shape === 'originals/3') {
    const { data } = Original.safeParse({ kind: first, listingId: second, mediaId: third })
    return data && { kind: 'original', name: data }
  }
  if (shape === 'variants/3') {
    const { data } = Variant.safeParse({ listingId: first, mediaId: second, hash: third })
    return data && { kind: 'variant', name: data }
  }
  if (shape === 'public/4') {
    const { data } = Public.safeParse({ agentId: first, listingId: second, mediaId: third, hash: fourth })
    return data && { kind: 'public', name: data }
  }
  return undefined
}
