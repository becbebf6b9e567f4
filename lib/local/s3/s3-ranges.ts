import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import type { Store } from 's3rver'

/**
 * Spells a `Range` for s3rver, which splits the field at its hyphen and makes numbers of both parts. The last bytes,
 * `bytes=-500`, become `bytes=500-last`, whose end is NaN. S3 ignores a malformed field and a
 * field with several ranges: both are removed.
 */
export function readableRange(headers: IncomingHttpHeaders): void {
  const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (start === '' && end !== '') headers.range = `bytes=${end}-last`
  else if (start === '' || (end !== '' && Number(end) < Number(start))) delete headers.range
}

/** Reads ranges as S3 does. For s3rver itself the last bytes are the first ones, and the first byte is the whole object. */
export function rangesIn(store: Store): Store['getObject'] {
  const getObject = store.getObject.bind(store)
  return async (bucket, key, { start, end = Number.POSITIVE_INFINITY } = {}) => {
    const object = await getObject(bucket, key)
    if (!object || start === undefined) return object
    object.content?.destroy()
    const last = object.size - 1
    const range = Number.isNaN(end)
      ? { start: Math.max(0, object.size - start), end: last }
      : { start, end: Math.min(end, last) }
    if (range.start > range.end) return Object.assign(object, { range, content: null })
    const content = createReadStream(store.getResourcePath(bucket, key, 'object'), range)
    await once(content, 'open')
    return Object.assign(object, { range, content })
  }
}
