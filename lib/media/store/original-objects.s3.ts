import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  NotFound,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { s3 } from '#lib/objects/s3-client'
import { originalKey } from './media.keys.ts'
import { deleteObjects } from './media-bucket.s3.ts'
import type { OriginalStore } from './original-store.ts'

/** Opens the originals in S3. This file is imported at the first use: a request that is refused needs none of it. */
export function originalObjects(Bucket: string): OriginalStore {
  return {
    put: async (name, content, { contentType, sha256 }) => {
      await s3().send(
        new PutObjectCommand({
          Bucket,
          Key: originalKey(name),
          Body: content,
          ContentType: contentType,
          ChecksumSHA256: inBase64(sha256),
        }),
      )
    },
    presign: async (name, { contentType, bytes, sha256 }, expiresInSeconds) => {
      const checksum = inBase64(sha256)
      // The length is signed but not listed: every client sends it by itself, and a page's script may not set it.
      const headers = {
        'content-type': contentType,
        'if-none-match': '*',
        'x-amz-checksum-sha256': checksum,
      }
      const command = new PutObjectCommand({
        Bucket,
        Key: originalKey(name),
        ContentType: contentType,
        ContentLength: bytes,
        ChecksumSHA256: checksum,
        IfNoneMatch: '*',
      })
      const url = await getSignedUrl(s3(), command, {
        expiresIn: expiresInSeconds,
        // The client sends the checksum as a header, not in the query, so that S3 compares it with the bytes.
        unhoistableHeaders: new Set(['x-amz-checksum-sha256']),
        signableHeaders: new Set(['host', 'content-length', ...Object.keys(headers)]),
      })
      return { url, method: 'PUT', headers }
    },
    size: async (name) => {
      try {
        const { ContentLength } = await s3().send(new HeadObjectCommand({ Bucket, Key: originalKey(name) }))
        return ContentLength
      } catch (error) {
        if (error instanceof NotFound) return undefined
        throw error
      }
    },
    read: async (name) => {
      const { Body } = await s3().send(new GetObjectCommand({ Bucket, Key: originalKey(name) }))
      return Body as AsyncIterable<Uint8Array>
    },
    remove: (name) => deleteObjects(Bucket, [originalKey(name)]),
    announceAgain: async (name, contentType) => {
      const Key = originalKey(name)
      // The copy makes S3 notify again. S3 copies an object onto itself only if something of it changes.
      await s3().send(
        new CopyObjectCommand({
          Bucket,
          Key,
          CopySource: `${Bucket}/${Key}`,
          ContentType: contentType,
          MetadataDirective: 'REPLACE',
          Metadata: { announced: 'yes' },
        }),
      )
    },
  }
}

const inBase64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')
