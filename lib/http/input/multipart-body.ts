import { MIMEType } from 'node:util'
import { DomainError } from '#lib/kernel/domain-error'

/**
 * One part as it was sent. `filename` and `contentType` are the client's claims, never to be trusted; a part without a
 * type reads as `text/plain` (RFC 7578, section 4.4).
 */
export type MultipartPart = { name: string; filename: string | null; contentType: string; content: Buffer }

/** RFC 2046, section 5.1.1: 1 to 70 characters of `bchars`, the last not a space. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/

/**
 * Returns the boundary that a content type names, quoted or not. Throws `unsupported_media_type` for anything but
 * `multipart/form-data`, and `malformed_multipart` for a boundary that is missing or that RFC 2046 forbids.
 */
export function boundaryOf(contentType = ''): string {
  const type = mediaType(contentType)
  if (type?.essence !== 'multipart/form-data') {
    throw new DomainError('unsupported_media_type', { detail: 'The body must be multipart/form-data' })
  }
  const boundary = type.params.get('boundary') ?? ''
  if (!BOUNDARY.test(boundary)) throw malformed('the content type must name a valid boundary')
  return boundary
}

function mediaType(contentType: string): MIMEType | undefined {
  try {
    return new MIMEType(contentType)
  } catch {
    return undefined
  }
}

/**
 * Returns the number of parts before the final boundary. Throws `malformed_multipart` for a body without a final
 * boundary, and for a part whose headers do not end: the parser must see neither. A body cut short raises an error
 * outside every handler, and headers without an end leave the parser waiting for ever.
 */
export function countParts(body: Buffer, boundary: string): number {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const firstLine = delimiter.subarray(2)
  // A delimiter begins with a line break, but for one at the very start.
  let at = body.indexOf(firstLine) === 0 ? firstLine.length : afterNext(body, delimiter, 0)
  let count = 0
  // Two hyphens follow the final boundary.
  while (body.toString('latin1', at, at + 2) !== '--') {
    const next = afterNext(body, delimiter, at)
    const headers = body.subarray(at, next - delimiter.length)
    if (!headers.includes('\r\n\r\n')) throw malformed('a part has no headers, or headers that do not end')
    at = next
    count += 1
  }
  return count
}

function afterNext(body: Buffer, delimiter: Buffer, from: number): number {
  const found = body.indexOf(delimiter, from)
  if (found < 0) throw malformed('it ends before its final boundary')
  return found + delimiter.length
}

type Attachment = { content: Buffer; encoding: string }

/**
 * Returns the parts of a body that `countParts` has passed, in the order sent. It leaves out a part that names no
 * field, so its length may be less than the count. Throws `malformed_multipart`. Middy's parser runs here, not as a
 * middleware: a middleware keeps only the last text part of a name, and loses the order that captions follow.
 */
export async function readParts(body: Buffer, boundary: string): Promise<MultipartPart[]> {
  // Imported with the first body, so that a request which is refused before it does not wait for the parser.
  const { default: httpMultipartBodyParser } = await import('@middy/http-multipart-body-parser')
  const order: Omit<MultipartPart, 'content'>[] = []
  const parser = httpMultipartBodyParser({
    // The parser's own pattern refuses quotes and half of the characters that a boundary may have.
    disableContentTypeCheck: true,
    busboy: {
      // Text parts of one name would overwrite each other: to the parser every part is a file.
      isPartAFile: (name = '', contentType = '', filename) => {
        order.push({ name, filename: filename ?? null, contentType })
        return true
      },
      // A name that is cut short would not match its part in `order`.
      limits: { fieldNameSize: Number.POSITIVE_INFINITY },
    },
  })
  const event = { headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` }, body }
  try {
    await parser.before?.({ event } as never)
  } catch {
    // The parser's error carries the whole body, perhaps a passport. It is no cause here, since causes are logged.
    throw malformed('a part cannot be read')
  }
  // The parser keeps parts by name, the last one first.
  const parsed = event.body as unknown as Record<string, Attachment | Attachment[]>
  const waiting = new Map(Object.entries(parsed).map(([name, found]) => [name, [found].flat()]))
  return order.map((part) => ({
    ...part,
    content: contentOf(part.contentType, waiting.get(part.name)?.pop()),
  }))
}

/** RFC 7578 retires parts within parts (4.3) and transfer encodings (4.7), except encodings that change no bytes. */
function contentOf(contentType: string, attachment: Attachment | undefined): Buffer {
  if (contentType.startsWith('multipart/')) throw malformed('a part must not hold parts itself')
  if (!attachment || !['7bit', '8bit', 'binary'].includes(attachment.encoding.trim())) {
    throw malformed('a part must be sent as it is, without a transfer encoding')
  }
  return attachment.content
}

/** Returns the refusal of a body, with the reason as a clause. */
export const malformed = (reason: string): DomainError =>
  new DomainError('malformed_multipart', { detail: `The body is not valid multipart: ${reason}` })
