import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import S3rver, { type S3EventNotification } from 's3rver'
import { listenLocally } from '../local-server.ts'
import { mediaListener } from './media-server.ts'
import { rangesIn, readableRange } from './s3-ranges.ts'
import { type Credentials, type Refusal, refuseSignature } from './s3-signature.ts'
import { wholeObjects } from './s3-store.ts'
import { splitTarget } from './s3-target.ts'

/** An object that has just been put or copied, whole. */
export type CreatedObject = { bucket: string; key: string; size: number; etag: string; eventName: string }

export type LocalS3 = {
  /** For the SDK: signed requests only. */
  endpoint: string
  /** For everyone: the objects of the media bucket that CloudFront would show. */
  mediaUrl: string
  /** Calls the listener for each new object. Returns a function that ends this. */
  onObjectCreated: (listener: (object: CreatedObject) => void) => () => void
  stop: () => Promise<void>
}

type S3Options = {
  directory: string
  credentials: Credentials
  buckets: { media: string; documents: string }
  /** Free ports are taken where none are given. */
  ports?: { s3: number; media: number }
}

/**
 * Starts an S3 on loopback that is as private as the real S3, and the public address of the media bucket. Objects live
 * in `directory`.
 */
export async function startS3({ directory, credentials, buckets, ports }: S3Options): Promise<LocalS3> {
  const s3rver = new S3rver({
    directory: join(directory, 'buckets'),
    silent: true,
    vhostBuckets: false,
    configureBuckets: Object.values(buckets).map((name) => ({ name })),
  })
  await s3rver.configureBuckets()
  // koa writes every refused request to the console otherwise.
  s3rver.on('error', () => {})
  s3rver.store.putObject = wholeObjects(s3rver.store, join(directory, 'incoming'))
  s3rver.store.getObject = rangesIn(s3rver.store)
  const respond = s3rver.callback()
  const serve: RequestListener = (request, response) => {
    readableRange(request.headers)
    respond(request, response)
  }

  const s3 = await listenLocally(ports?.s3 ?? 0, async (request, response) => {
    response.setHeader('access-control-allow-origin', '*')
    if (request.method === 'OPTIONS') return answerPreflight(response)
    const refusal = await refuse(request, credentials)
    if (refusal) return answerRefusal(response, refusal)
    removeSignature(request)
    overrideHeaders(request, response)
    serve(request, response)
  })
  const media = await listenLocally(
    ports?.media ?? 0,
    mediaListener(s3rver.store, buckets.media, serve),
  ).catch(async (error) => {
    await s3.stop()
    throw error
  })
  return {
    endpoint: `http://127.0.0.1:${s3.port}`,
    mediaUrl: `http://localhost:${media.port}`,
    onObjectCreated: (listener) => {
      const report = ({ Records }: S3EventNotification) => {
        for (const { eventName, s3: record } of Records) {
          if (!eventName.startsWith('ObjectCreated:')) continue
          const { key, size, eTag = '' } = record.object
          listener({ bucket: record.bucket.name, key, size, etag: eTag, eventName })
        }
      }
      s3rver.on('event', report)
      return () => s3rver.off('event', report)
    },
    stop: async () => {
      await Promise.all([s3.stop(), media.stop()])
    },
  }
}

/** Answers a preflight as the CORS rules of `lib/media/bucket.yml` do. */
function answerPreflight(response: ServerResponse): void {
  response.writeHead(200, {
    'access-control-allow-methods': 'PUT',
    'access-control-allow-headers': 'content-type, if-none-match, x-amz-checksum-sha256',
    'access-control-max-age': '3600',
  })
  response.end()
}

async function refuse(
  request: IncomingMessage,
  credentials: Credentials,
): Promise<(Refusal & { status?: number }) | undefined> {
  const { method = 'GET', url: target = '/', headers } = request
  const path = decodedPath(target)
  // Objects are files under their keys: these segments would lead out of the bucket.
  if (path === undefined || path.split('/').some((segment) => segment === '.' || segment === '..')) {
    return { status: 400, code: 'InvalidURI', message: "Couldn't parse the specified URI." }
  }
  const refusal = await refuseSignature({ method, target, headers }, credentials, new Date())
  if (refusal) return refusal
  if (headers['x-amz-content-sha256']?.toString().startsWith('STREAMING-')) {
    // s3rver would keep the chunk headers as part of the object.
    return {
      status: 501,
      code: 'NotImplemented',
      message: 'Streamed bodies: send a buffer, with its length.',
    }
  }
  return undefined
}

/** Removes the signature, which has been checked: s3rver accepts a single access key, its own. */
function removeSignature(request: IncomingMessage): void {
  delete request.headers.authorization
  request.url = request.url?.replace(
    /(?<=[?&])X-Amz-(Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Security-Token)=[^&]*&?/g,
    '',
  )
}

/**
 * Gives the answer the headers that a presigned link names in its `response-…` parameters, also where s3rver sets others.
 */
function overrideHeaders(request: IncomingMessage, response: ServerResponse): void {
  const { url = '/' } = request
  const overrides = new Map(
    splitTarget(url).query.flatMap(([name, value]) =>
      name.startsWith('response-') ? [[name.slice('response-'.length), value] as const] : [],
    ),
  )
  request.url = url.replace(/(?<=[?&])response-[^=&]+=[^&]*&?/g, '')
  const setHeader = response.setHeader.bind(response)
  for (const [name, value] of overrides) setHeader(name, value)
  response.setHeader = (name, value) => setHeader(name, overrides.get(name.toLowerCase()) ?? value)
}

function decodedPath(target: string): string | undefined {
  try {
    return splitTarget(target).path
  } catch {
    return undefined
  }
}

function answerRefusal(
  response: ServerResponse,
  { status = 403, code, message }: Refusal & { status?: number },
) {
  // The body is not read: the connection cannot be used again.
  response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' })
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  )
}
