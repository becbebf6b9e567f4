import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'

const StreamRecord = z.looseObject({
  dynamodb: z.looseObject({
    SequenceNumber: z.string(),
    OldImage: z.unknown().optional(),
    NewImage: z.unknown().optional(),
  }),
})

/** A record in the form in which Lambda hands it to a function. */
export type StreamRecord = z.infer<typeof StreamRecord>

const Description = z.object({
  StreamDescription: z.object({ Shards: z.array(z.object({ ShardId: z.string() })).default([]) }),
})
const Iterator = z.object({ ShardIterator: z.string() })
const Page = z.object({ Records: z.array(StreamRecord), NextShardIterator: z.string().nullish() })
const Streams = z.object({ Streams: z.array(z.object({ StreamArn: z.string() })) })

/**
 * Opens DynamoDB's stream API at an endpoint that checks no credentials. It is called without the SDK, whose client
 * translates the records: functions receive them as they are on the wire.
 */
export function streamApi(endpoint: string) {
  const call = async (operation: string, body: object): Promise<unknown> => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
        // Such as `20270131T120000Z`.
        'x-amz-date': new Date().toISOString().replace(/[-:]|\.\d+/g, ''),
        authorization: AUTHORIZATION,
      },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${operation}: ${await response.text()}`)
    return response.json()
  }
  return {
    /** The table's newest stream: an ARN ends with a time. A table that was created again has another stream. */
    streamOf: async (tableName: string): Promise<string | undefined> => {
      const { Streams: streams } = Streams.parse(await call('ListStreams', { TableName: tableName }))
      return streams
        .map(({ StreamArn }) => StreamArn)
        .sort()
        .at(-1)
    },
    /** The ids of the stream's shards, oldest first. */
    shardsOf: async (stream: string): Promise<string[]> => {
      const { StreamDescription } = Description.parse(await call('DescribeStream', { StreamArn: stream }))
      return StreamDescription.Shards.map(({ ShardId }) => ShardId)
    },
    /** An iterator after the record at `position`, a sequence number; without one, from the oldest record on. */
    iteratorAfter: async (stream: string, shard: string, position: string | undefined): Promise<string> => {
      const from =
        position === undefined
          ? { ShardIteratorType: 'TRIM_HORIZON' }
          : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: position }
      return Iterator.parse(await call('GetShardIterator', { StreamArn: stream, ShardId: shard, ...from }))
        .ShardIterator
    },
    /** A page of records; `next` is undefined at the end of a shard that is closed. */
    read: async (
      iterator: string,
      limit: number,
    ): Promise<{ records: StreamRecord[]; next: string | undefined }> => {
      const page = Page.parse(await call('GetRecords', { ShardIterator: iterator, Limit: limit }))
      return { records: page.Records, next: page.NextShardIterator ?? undefined }
    },
  }
}

export type StreamApi = ReturnType<typeof streamApi>

/**
 * Whether a record holds a change. DynamoDB's stream has no record of a write that changes nothing; the local one has.
 */
export const isChange = ({ dynamodb }: StreamRecord): boolean =>
  !isDeepStrictEqual(dynamodb.OldImage, dynamodb.NewImage)

const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=local/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=local'
