import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { s3 } from './s3-client.ts'

/** Returns a link to an object of a private bucket. It needs no credential, and expires. */
export const privateLink = (Bucket: string, Key: string, expiresIn: number): Promise<string> =>
  getSignedUrl(s3(), new GetObjectCommand({ Bucket, Key }), { expiresIn })
