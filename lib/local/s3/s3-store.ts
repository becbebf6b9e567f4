import { createHash, type Hash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import type { Store, StoredObject } from 's3rver'
import S3Error from 's3rver/lib/models/error.js'
import { headerValue } from './s3-target.ts'

/**
 * Stores an object: writes a temporary file, compares every checksum of the request, then renames the file. A reader sees the
 * whole object or no object. `If-None-Match: *` keeps an object that exists. s3rver's own way compares no checksum and answers
 * before the last bytes are on the disk.
 */
export function wholeObjects(store: Store, draftFolder: string): Store['putObject'] {
  return async (object) => {
    await mkdir(draftFolder, { recursive: true })
    const draft = join(draftFolder, randomUUID())
    const digest = startDigest()
    try {
      const content = Buffer.isBuffer(object.content) ? Readable.from([object.content]) : object.content
      await pipeline(content, digest.through, createWriteStream(draft))
      // Content that is no request, such as a copy or the parts of an upload, comes without checksums.
      if (object.content instanceof IncomingMessage) requireSame(object.content, digest)

      const place = store.getResourcePath(object.bucket, object.key, 'object')
      await mkdir(dirname(place), { recursive: true })
      if (mustBeNew(object)) await link(draft, place).catch(refuseExisting)
      else await rename(draft, place)
    } finally {
      await rm(draft, { force: true })
    }
    const md5 = digest.md5.copy().digest('hex')
    await store.putMetadata(object.bucket, object.key, object.metadata, md5)
    return { size: digest.size(), md5 }
  }
}

const mustBeNew = ({ content }: StoredObject): boolean =>
  content instanceof IncomingMessage && content.headers['if-none-match'] === '*'

/** @throws S3's own refusal if the object exists. */
function refuseExisting(error: NodeJS.ErrnoException): never {
  if (error.code !== 'EEXIST') throw error
  throw new S3Error('PreconditionFailed', 'At least one of the pre-conditions you specified did not hold')
}

type Digest = ReturnType<typeof startDigest>

/** Starts to hash bytes that pass through. A hash gives its result once, so each result is taken from a `copy`. */
function startDigest() {
  const [md5, sha1, sha256] = ['md5', 'sha1', 'sha256'].map((name) => createHash(name)) as [Hash, Hash, Hash]
  let crc = 0
  let size = 0
  async function* through(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      for (const hash of [md5, sha1, sha256]) hash.update(chunk)
      crc = crc32(chunk, crc)
      size += chunk.length
      yield chunk
    }
  }
  return { through, md5, sha1, sha256, crc32: () => crc, size: () => size }
}

/** @throws S3's own refusal when a hash or checksum that the request carries is not that of the bytes. */
function requireSame({ headers }: IncomingMessage, digest: Digest): void {
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(digest.crc32())
  const actual: Record<string, string> = {
    'content-md5': digest.md5.copy().digest('base64'),
    'x-amz-checksum-crc32': crc.toString('base64'),
    'x-amz-checksum-sha1': digest.sha1.copy().digest('base64'),
    'x-amz-checksum-sha256': digest.sha256.copy().digest('base64'),
  }
  for (const [name, value] of Object.entries(actual)) {
    const expected = headerValue(headers, name)
    if (expected !== undefined && expected !== value) {
      throw new S3Error('BadDigest', `The ${name} you specified did not match what we received.`)
    }
  }
  const payloadHash = headerValue(headers, 'x-amz-content-sha256')
  if (/^[0-9a-f]{64}$/i.test(payloadHash ?? '') && payloadHash !== digest.sha256.copy().digest('hex')) {
    throw new S3Error(
      'XAmzContentSHA256Mismatch',
      'The provided x-amz-content-sha256 does not match what was computed.',
    )
  }
}
