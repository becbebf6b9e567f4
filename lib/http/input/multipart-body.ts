import { MIMEType } from 'node:util'
import { DomainError } from '#lib/kernel/domain-error'
import { within } from '#lib/kernel/within'

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

/** As for the headers of a request in Node: it bounds the time that reading them takes. */
const HEADERS_MAX_BYTES = 16 * 1024

type RawPart = { headers: Buffer; content: Buffer }

/**
 * Yields the parts of a body, headers and content apart. Throws `malformed_multipart` at a part whose headers do not
 * end within 16 KiB, and at the end of a body without a final boundary.
 */
export function* splitParts(body: Buffer, boundary: string): Generator<RawPart> {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // A delimiter begins with a line break, which the first one may lack.
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  let at = afterNext(whole, delimiter, 0)
  // Two hyphens follow the final boundary.
  while (whole.toString('latin1', at, at + 2) !== '--') {
    const next = afterNext(whole, delimiter, at)
    const part = whole.subarray(at, next - delimiter.length)
    const end = part.indexOf('\r\n\r\n')
    if (end < 0 || end > HEADERS_MAX_BYTES) {
      throw malformed('a part has no headers, or headers that do not end within 16 KiB')
    }
    yield { headers: part.subarray(0, end), content: part.subarray(end + 4) }
    at = next
  }
}

function afterNext(body: Buffer, delimiter: Buffer, from: number): number {
  const found = body.indexOf(delimiter, from)
  if (found < 0) throw malformed('it ends before its final boundary')
  return found + delimiter.length
}

const READ_MAX_MILLISECONDS = 1_000

/**
 * Returns the parts with their headers read, in the order sent. Throws `malformed_multipart`. Middy's parser runs here,
 * not as a middleware: a middleware keeps only the last text part of a name, and loses the order that captions follow.
 * It receives the headers of one part at a time, without the content: bodies cut short crash it, and a part that it
 * skips keeps it waiting for ever.
 */
export async function readParts(parts: readonly RawPart[], boundary: string): Promise<MultipartPart[]> {
  // Imported with the first body, so that a request which is refused before it does not wait for the parser.
  const { default: httpMultipartBodyParser } = await import('@middy/http-multipart-body-parser')
  const parser = httpMultipartBodyParser({
    // The parser's own pattern refuses quotes and half of the characters that a boundary may have.
    disableContentTypeCheck: true,
    busboy: {
      // A file has its headers in the result; a text has not.
      isPartAFile: () => true,
      // A field may have a name of any length: an unknown one is ignored.
      limits: { fieldNameSize: Number.POSITIVE_INFINITY },
    },
  })
  return Promise.all(
    parts.map(async ({ headers, content }): Promise<MultipartPart> => {
      // RFC 2046, section 5.1.1: blanks may follow a boundary. The parser does not know them.
      const lines = headers.toString('latin1').replace(/^[ \t]+(?=\r\n)/, '')
      const event = {
        headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
        body: Buffer.from(`--${boundary}${lines}\r\n\r\n\r\n--${boundary}--`, 'latin1'),
      }
      const reading = Promise.resolve(parser.before?.({ event } as never)).then(
        () => Object.entries(event.body as unknown as Record<string, Attachment>),
        // The parser's error carries the body. It is no cause here, since causes are logged.
        () => undefined,
      )
      const [[name, attachment] = []] = (await within(READ_MAX_MILLISECONDS, reading)) ?? []
      if (name === undefined || !attachment) throw malformed('every part must name a field of form-data')
      refuseEncoded(attachment)
      const { filename = null, mimetype } = attachment
      return { name, filename, contentType: mimetype, content }
    }),
  )
}

type Attachment = { filename?: string; mimetype: string; encoding: string }

/** RFC 7578 retires parts within parts (4.3) and transfer encodings (4.7), except encodings that change no bytes. */
function refuseEncoded({ mimetype, encoding }: Attachment): void {
  if (mimetype.startsWith('multipart/')) throw malformed('a part must not hold parts itself')
  if (!['7bit', '8bit', 'binary'].includes(encoding.trim())) {
    throw malformed('a part must be sent as it is, without a transfer encoding')
  }
}

/** Returns the refusal of a body, with the reason as a clause. */
const malformed = (reason: string): DomainError =>
  new DomainError('malformed_multipart', { detail: `The body is not valid multipart: ${reason}` })
