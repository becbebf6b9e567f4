// s3rver carries no types. Only what the local stack uses is declared.

declare module 's3rver' {
  import type { EventEmitter } from 'node:events'
  import type { RequestListener } from 'node:http'
  import type { Readable } from 'node:stream'

  export type StoredObject = {
    bucket: string
    key: string
    content: Readable | Buffer
    metadata: Record<string, string>
  }

  type ByteRange = { start: number; end: number }

  /** `range` without `content` is a range that the object cannot satisfy. */
  export type ReadObject = { content: Readable | null; size: number; range?: ByteRange }

  export type Store = {
    getObject(bucket: string, key: string, range?: Partial<ByteRange>): Promise<ReadObject | null>
    existsObject(bucket: string, key: string): Promise<boolean>
    getResourcePath(bucket: string, key: string, resource: 'object'): string
    putObject(object: StoredObject): Promise<{ size: number; md5: string }>
    putMetadata(bucket: string, key: string, metadata: Record<string, string>, md5: string): Promise<void>
  }

  export type S3EventNotification = {
    Records: {
      eventName: string
      s3: { bucket: { name: string }; object: { key: string; size: number; eTag?: string } }
    }[]
  }

  type S3rver = EventEmitter & {
    store: Store
    configureBuckets(): Promise<unknown>
    callback(): RequestListener
  }
  const S3rver: new (options: {
    directory: string
    silent: boolean
    vhostBuckets: boolean
    configureBuckets: { name: string }[]
  }) => S3rver
  // biome-ignore lint/style/noDefaultExport: it is how s3rver exports it
  export default S3rver
}

declare module 's3rver/lib/models/error.js' {
  const S3Error: new (code: string, message: string) => Error
  // biome-ignore lint/style/noDefaultExport: it is how s3rver exports it
  export default S3Error
}
