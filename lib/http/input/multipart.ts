import { isUtf8 } from 'node:buffer'
import { DomainError, type FieldError, type ProblemCode } from '#lib/kernel/domain-error'
import { boundaryOf, type MultipartPart, readParts, splitParts } from './multipart-body.ts'

export type { MultipartPart } from './multipart-body.ts'

/** The largest decoded multipart body: base64 in a 6 MB Lambda event cannot contain more. */
const MULTIPART_BODY_MAX_BYTES = 4.25 * 1024 * 1024

/** The largest file of a multipart body. */
export const PART_MAX_BYTES = 4 * 1024 * 1024

/** The largest text part without a limit of its own: 5,000 characters of any script. */
export const TEXT_PART_MAX_BYTES = 20_000

/** The largest number of parts; a body with more is refused unread. */
export const PARTS_MAX_COUNT = 100

/**
 * The content of the parts of one name: bytes, or text in UTF-8. `maxBytes` applies to each part separately. The
 * OpenAPI document requires the name unless it `mayBeAbsent`, and names its `values`, which the use case checks.
 */
type PartLimit = {
  holds: 'file' | 'text'
  maxCount: number
  maxBytes?: number
  mayBeAbsent?: true
  values?: readonly string[]
}

/** At most so many files of a name. */
export const fileParts = (maxCount: number): PartLimit => ({ holds: 'file', maxCount })

/** At most so many texts of a name. */
export const textParts = (maxCount: number): PartLimit => ({ holds: 'text', maxCount })

/** The names an endpoint reads. Parts of other names are ignored and never stored. */
export type MultipartLimits = Readonly<Record<string, PartLimit>>

/** The parts of a request that are read: its headers, by names in lower case, and the body from Lambda. */
export type MultipartEvent = {
  headers: Readonly<Record<string, string | undefined>>
  body?: string | undefined
  isBase64Encoded?: boolean
}

/**
 * The multipart input of an endpoint: how it is read, and how the OpenAPI document describes it. `adviceIfTooLarge` says in a
 * `payload_too_large` how larger files are sent.
 */
export const multipart = (limits: MultipartLimits, adviceIfTooLarge?: string) => ({
  maxBytes: MULTIPART_BODY_MAX_BYTES,
  adviceIfTooLarge,
  parse: (event: MultipartEvent): Promise<MultipartPart[]> => parseMultipart(event, limits, adviceIfTooLarge),
  form: {
    type: 'object',
    required: Object.keys(limits).filter((name) => !limits[name]?.mayBeAbsent),
    properties: Object.fromEntries(
      Object.entries(limits).map(([name, { holds, maxCount, values }]) => {
        const text = { type: 'string', ...(values && { enum: values }) }
        const item = holds === 'file' ? { type: 'string', format: 'binary' } : text
        return [name, maxCount === 1 ? item : { type: 'array', items: item, maxItems: maxCount }]
      }),
    ),
  },
})

/**
 * Returns the parts of a `multipart/form-data` body (RFC 7578) that `limits` names, in the order sent over all names.
 * Bytes are unchanged, text parts are valid UTF-8, and a part without content is empty. Every boundary of RFC 2046 is
 * accepted, quoted or not. The caller checks `MULTIPART_BODY_MAX_BYTES`, missing names and the contents of files. If the
 * gateway did not encode the body, bytes that were not UTF-8 are already lost.
 *
 * Throws nothing but
 * - `unsupported_media_type`: another media type, or none;
 * - `malformed_multipart`: no valid boundary; a body that is empty, cut short or without its final boundary; a part
 *   without headers or a name, with parts inside it, or in a transfer encoding that changes bytes. The whole body is
 *   refused, since a part left out would shift captions to other files;
 * - `payload_too_large`: files over `maxBytes` (`PART_MAX_BYTES`), each named (`file[1]`);
 * - `validation_failed`: text parts too long or not UTF-8, each named; too many parts of a name, or in all.
 */
export async function parseMultipart(
  event: MultipartEvent,
  limits: MultipartLimits,
  adviceIfTooLarge?: string,
): Promise<MultipartPart[]> {
  const boundary = boundaryOf(event.headers['content-type'])
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  const sent = splitParts(body, boundary)
    .take(PARTS_MAX_COUNT + 1)
    .toArray()
  if (sent.length > PARTS_MAX_COUNT) throw refused('validation_failed', [tooMany('', PARTS_MAX_COUNT)])
  const parts = await readParts(sent, boundary)
  const wanted = parts.filter(({ name }) => Object.hasOwn(limits, name))
  refuseUnfit(wanted, limits, adviceIfTooLarge)
  return wanted
}

type Field = PartLimit & { name: string; contents: Buffer[] }

function refuseUnfit(parts: readonly MultipartPart[], limits: MultipartLimits, advice?: string): void {
  const fields = Object.entries(limits).map(([name, limit]): Field => {
    const contents = parts.filter((part) => part.name === name).map(({ content }) => content)
    return { ...limit, name, contents }
  })
  const files = fields.filter(({ holds }) => holds === 'file')
  const tooLarge = files.flatMap((field) => tooBig(field, field.maxBytes ?? PART_MAX_BYTES))
  if (tooLarge.length > 0) throw refused('payload_too_large', tooLarge, advice)

  const texts = fields.filter(({ holds }) => holds === 'text')
  const unfit = [
    ...fields.flatMap(({ name, contents, maxCount }) =>
      contents.length > maxCount ? [tooMany(name, maxCount)] : [],
    ),
    ...texts.flatMap((field) => tooBig(field, field.maxBytes ?? TEXT_PART_MAX_BYTES)),
    ...texts.flatMap(notUtf8),
  ]
  if (unfit.length > 0) throw refused('validation_failed', unfit)
}

const tooBig = ({ name, contents }: Field, maxBytes: number): FieldError[] =>
  contents.flatMap((content, index) =>
    content.length > maxBytes
      ? [{ path: `${name}[${index}]`, code: 'too_big', message: `must have at most ${maxBytes} bytes` }]
      : [],
  )

const notUtf8 = ({ name, contents }: Field): FieldError[] =>
  contents.flatMap((content, index) =>
    isUtf8(content)
      ? []
      : [{ path: `${name}[${index}]`, code: 'invalid_value', message: 'must be text in UTF-8' }],
  )

const tooMany = (path: string, maxCount: number): FieldError => ({
  path,
  code: 'too_big',
  message: `must have at most ${maxCount} parts`,
})

const refused = (code: ProblemCode, errors: FieldError[], advice?: string): DomainError =>
  new DomainError(code, {
    detail: [...errors.map(({ path, message }) => `${path} ${message}`.trim()), advice]
      .filter(Boolean)
      .join('; '),
    errors,
  })
