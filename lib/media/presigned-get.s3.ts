import { GetObjectCommand } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { s3 } from '#lib/s3-client'

const LINK_SECONDS = 5 * 60

/** A link to one object, good for five minutes. */
export const presignedGet = (
  Bucket: string,
  Key: string,
  answer: { ResponseContentDisposition?: string },
): Promise<string> =>
  getSignedUrl(s3(), new GetObjectCommand({ Bucket, Key, ...answer }), { expiresIn: LINK_SECONDS })
