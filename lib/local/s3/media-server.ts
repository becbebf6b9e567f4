import type { RequestListener, ServerResponse } from 'node:http'
import type { Store } from 's3rver'
import { splitTarget } from './s3-target.ts'

/** The only prefix of the media bucket that CloudFront's origin access control lets through. */
const PUBLIC_PREFIX = 'public/'

/**
 * Stands in for CloudFront in front of the media bucket: `GET` and `HEAD` of `/<path>` answer the object
 * `public/<path>`. Anything else is a 403, a missing object too, so that a caller who may not list learns of no object.
 * Pages of every origin may read the answers.
 */
export const mediaListener =
  (store: Store, bucket: string, serve: RequestListener): RequestListener =>
  async (request, response) => {
    if (request.headers.origin !== undefined) response.setHeader('access-control-allow-origin', '*')
    const key = publicKey(request.method, request.url ?? '/')
    if (key === undefined || !(await store.existsObject(bucket, key))) return forbid(response)

    request.url = `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`
    // CloudFront signs requests to S3 itself: a caller's signature is not passed on.
    for (const name of Object.keys(request.headers)) {
      if (name === 'authorization' || name.startsWith('x-amz-')) delete request.headers[name]
    }
    serve(request, response)
  }

function publicKey(method: string | undefined, target: string): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  try {
    const segments = splitTarget(target).path.slice(1).split('/')
    const isPlain = segments.every(
      (segment) => segment !== '' && segment !== '.' && segment !== '..' && !segment.includes('\0'),
    )
    return isPlain ? PUBLIC_PREFIX + segments.join('/') : undefined
  } catch {
    return undefined
  }
}

function forbid(response: ServerResponse) {
  response.writeHead(403, { 'content-type': 'application/xml' })
  response.end(
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  )
}
