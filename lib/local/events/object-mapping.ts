import { randomBytes } from 'node:crypto'
import type { CreatedObject } from '../s3/s3-server.ts'
import type { ObjectSource } from './event-sources.ts'

/** Whether a function's `objects` event is about this object: its bucket and its key. */
export const wantsObject = (source: ObjectSource, object: CreatedObject, buckets: ObjectBuckets): boolean =>
  object.bucket === bucketOf(source, buckets) &&
  source.prefixes.some((prefix) => object.key.startsWith(prefix))

type ObjectBuckets = { media: string; documents: string }

/** Finds the local bucket for the logical id of a deployed one, such as `DocumentsBucket`. */
const bucketOf = ({ bucket }: ObjectSource, { media, documents }: ObjectBuckets) =>
  /document/i.test(bucket) ? documents : media

/**
 * Returns the event that S3 sends to a queue when an object is created.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
 */
export const objectEvent = ({ bucket, key, size, etag, eventName }: CreatedObject, region: string) => ({
  Records: [
    {
      eventVersion: '2.1',
      eventSource: 'aws:s3',
      awsRegion: region,
      eventTime: new Date().toISOString(),
      eventName,
      userIdentity: { principalId: 'local' },
      requestParameters: { sourceIPAddress: '127.0.0.1' },
      responseElements: { 'x-amz-request-id': randomBytes(8).toString('hex').toUpperCase() },
      s3: {
        s3SchemaVersion: '1.0',
        configurationId: 'local',
        bucket: { name: bucket, ownerIdentity: { principalId: 'local' }, arn: `arn:aws:s3:::${bucket}` },
        object: {
          // S3 encodes the key as a form does: a space is a plus.
          key: new URLSearchParams({ key }).toString().slice('key='.length).replaceAll('%2F', '/'),
          size,
          eTag: etag,
          sequencer: Date.now().toString(16).toUpperCase(),
        },
      },
    },
  ],
})
