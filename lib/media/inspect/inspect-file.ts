import { imageDimensionsFromData } from 'image-dimensions'
import type { FileKind } from '#lib/media/file-kind'

/** The kind of media that each accepted type is. */
export const KINDS = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
  'application/pdf': 'document',
  'video/mp4': 'video',
} as const satisfies Record<string, FileKind>

/** Every type of file that is recognised. The caller says which of them it accepts. */
export type ContentType = keyof typeof KINDS

/** All recognised types, for schemas. */
export const CONTENT_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'application/pdf',
  'video/mp4',
] as const satisfies readonly ContentType[]

/** The most pixels a picture may have, its header's width times its height. */
export const PIXELS_MAX = 100_000_000

/** A picture may have this many pixels, however few its bytes are: a flat drawing is small. */
const PIXELS_FREE = 10_000_000

/** A larger picture may have this many pixels a byte: far more than a camera's, far fewer than a decompression bomb's. */
const PIXELS_A_BYTE = 1_000

/** The type of a file, or why it is refused. `message` continues a sentence that begins with the part's name. */
type InspectedFile = { outcome: 'accepted'; kind: FileKind; contentType: ContentType } | Refusal

type Refusal = {
  outcome: 'refused'
  code: 'empty' | 'unsupported_type' | 'unreadable' | 'too_many_pixels'
  message: string
}

/**
 * Determines the type of a file from its bytes; the name and type sent with the file are ignored. A picture is
 * measured by its header, which may lie: only its decoding shows that. A PDF must begin and end
 * as a PDF, and an MP4 must name a brand of MP4; the contents of either are not read. Bytes after the end of a
 * picture are not read either, so an original must be served as the type found here and no other. An animated
 * PNG is a PNG. Never throws; time and memory grow with the length of the file.
 */
export async function inspectFile(bytes: Buffer, allowed: readonly ContentType[]): Promise<InspectedFile> {
  if (bytes.length === 0) return refused('empty', 'must not be empty')
  const contentType = await sniff(bytes)
  if (contentType === undefined || !allowed.includes(contentType)) {
    return refused('unsupported_type', `must be one of ${allowed.join(', ')}`)
  }
  if (contentType === 'application/pdf') {
    return isWholePdf(bytes) ? accepted(contentType) : refused('unreadable', 'is cut short or not a PDF')
  }
  if (contentType === 'video/mp4') return accepted(contentType)
  const size = imageSize(bytes)
  if (size === undefined) return refused('unreadable', `cannot be read as ${contentType}`)
  const { width, height } = size
  if (width * height > PIXELS_MAX) {
    return refused('too_many_pixels', `must have at most ${PIXELS_MAX} pixels, not ${width} by ${height}`)
  }
  if (width * height > Math.max(PIXELS_FREE, bytes.length * PIXELS_A_BYTE)) {
    return refused(
      'too_many_pixels',
      `has too many pixels, ${width} by ${height}, for its ${bytes.length} bytes`,
    )
  }
  return accepted(contentType)
}

const accepted = (contentType: ContentType): InspectedFile => ({
  outcome: 'accepted',
  kind: KINDS[contentType],
  contentType,
})

const refused = (code: Refusal['code'], message: string): Refusal => ({ outcome: 'refused', code, message })

/** Enough to recognise every type above. Reading more would let a hostile archive decide how long the search takes. */
const SAMPLE_BYTES = 4100

async function sniff(bytes: Buffer): Promise<ContentType | undefined> {
  // Loaded with the first file: a request that is refused earlier does not pay for the import.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)).catch(() => undefined)
  const mime = found?.mime === 'image/apng' ? 'image/png' : found?.mime
  if (mime === undefined || !isContentType(mime)) return undefined
  return mime === 'video/mp4' && !namesMp4(bytes) ? undefined : mime
}

const isContentType = (mime: string): mime is ContentType => Object.hasOwn(KINDS, mime)

/** `file-type` calls every file with an unknown brand an MP4, and some of those files are pictures. */
const MP4_BRAND = /^(?:iso[m2-9a-c]|mp4[12]|avc1|dash|MSNV)$/

/**
 * Whether the first box of a file names a brand of MP4. The box is its length in 4 bytes, `ftyp` in 4, and brands of 4
 * letters each.
 */
function namesMp4(bytes: Buffer): boolean {
  const boxEnd = Math.min(bytes.readUInt32BE(0), SAMPLE_BYTES)
  const brands = bytes.toString('latin1', 8, boxEnd).match(/.{4}/gs) ?? []
  return brands.some((brand) => MP4_BRAND.test(brand))
}

function imageSize(bytes: Buffer): { width: number; height: number } | undefined {
  try {
    const size = imageDimensionsFromData(bytes)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch {
    // A hostile AVIF with a million properties overflows the stack of the parser.
    return undefined
  }
}

/** Whether a PDF is whole: its last 1,024 bytes hold the end mark (ISO 32000-1, annex H), to which scanners add padding. */
function isWholePdf(bytes: Buffer): boolean {
  let end = bytes.length
  while (end > 0 && bytes.readUInt8(end - 1) <= 0x20) end -= 1
  // Some writers put a byte order mark of three bytes before the five of the begin mark.
  const begins = bytes.subarray(0, 8).includes('%PDF-')
  return begins && bytes.subarray(Math.max(0, end - 1024), end).includes('%%EOF')
}
