import { S3Client } from '@aws-sdk/client-s3'

let client: S3Client | undefined

/**
 * Returns the one S3 client of a running function. It makes checksums only where S3 requires them: in a presigned URL a
 * checksum would be that of an empty body.
 */
export const s3 = (): S3Client => {
  client ??= new S3Client({ requestChecksumCalculation: 'WHEN_REQUIRED' })
  return client
}
