import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { s3 } from '#lib/objects/s3-client'

/** S3 accepts at most 10,000 parts, each of 5 MiB or more except the last. */
const PART_BYTES = 16 * 1024 * 1024

/**
 * Stores a stream as one object, a part of 16 MiB at a time. An upload that breaks off leaves no object; the bucket
 * removes its parts after a day.
 */
export async function putInParts(
  content: AsyncIterable<Buffer>,
  object: CreateMultipartUploadCommandInput,
): Promise<void> {
  const { Bucket, Key } = object
  const { UploadId } = await s3().send(new CreateMultipartUploadCommand(object))
  const Parts: { ETag: string | undefined; PartNumber: number }[] = []
  for await (const Body of parts(content)) {
    const PartNumber = Parts.length + 1
    const { ETag } = await s3().send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }))
    Parts.push({ ETag, PartNumber })
  }
  await s3().send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }))
}

async function* parts(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    held.push(chunk)
    bytes += chunk.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(held)
    held = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(held)
}
