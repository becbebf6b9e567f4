import { S3Client } from '@aws-sdk/client-s3'

let client: S3Client | undefined

/** The one client of a running function. A presigned address must not carry a checksum made before there is a body. */
export const s3 = (): S3Client => {
  client ??= new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' })
  return client
}
