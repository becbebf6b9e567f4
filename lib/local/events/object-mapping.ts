import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { CreatedObject } from '../s3/s3-server.ts'
import type { Job, ObjectSource } from './event-sources.ts'
import type { Invoke } from './invoke.ts'

/** Lambda tries an event of its own queue three times; the local stack does not wait minutes in between. */
const PAUSES_MILLISECONDS = [0, 500, 2_000]

/** Whether a function's `s3` event is about this object: its kind of creation, its bucket, its key. */
export function wantsObject(source: ObjectSource, object: CreatedObject, buckets: ObjectBuckets): boolean {
  const [, kind = '*'] = source.event.match(/^s3:ObjectCreated:(.+)$/) ?? [undefined, '']
  const isKind = kind === '*' || object.eventName === `ObjectCreated:${kind}`
  const { key } = object
  return (
    isKind &&
    object.bucket === bucketOf(source, buckets) &&
    source.rules.every(({ prefix = '', suffix = '' }) => key.startsWith(prefix) && key.endsWith(suffix))
  )
}

export type ObjectBuckets = { media: string; documents: string }

/** Deployed, the bucket is named by a reference; what it refers to says which of the two is meant. */
const bucketOf = ({ bucket }: ObjectSource, { media, documents }: ObjectBuckets) =>
  /document/i.test(JSON.stringify(bucket)) ? documents : media

/** Hands an S3 event to a function, up to three times. */
export async function deliverObject(
  job: Job,
  object: CreatedObject,
  region: string,
  invoke: Invoke,
  report: (line: string) => void,
): Promise<void> {
  const event = objectEvent(object, region)
  for (const pause of PAUSES_MILLISECONDS) {
    await wait(pause)
    const outcome = await invoke(job, event)
    report(`${job.name}: ${object.key}${outcome.isOk ? '' : ' failed'}`)
    if (outcome.isOk) return
  }
}

/** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html */
const objectEvent = ({ bucket, key, size, etag, eventName }: CreatedObject, region: string) => ({
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
          // As a form would send it: a space is a plus.
          key: new URLSearchParams({ key }).toString().slice('key='.length).replaceAll('%2F', '/'),
          size,
          eTag: etag,
          sequencer: Date.now().toString(16).toUpperCase(),
        },
      },
    },
  ],
})
