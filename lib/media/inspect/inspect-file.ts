import { imageDimensionsFromData } from 'image-dimensions'
import { liesOnItsSide } from '#lib/media/render/orientation'

/** What each type of file is to the people who look at it. */
export const KINDS = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
  'application/pdf': 'document',
  'video/mp4': 'video',
} as const

/** Every type of file that can be told apart; which of them are welcome is the caller's to say. */
export type ContentType = keyof typeof KINDS

/** All of them. */
export const CONTENT_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'application/pdf',
  'video/mp4',
] as const satisfies readonly ContentType[]

/** What a type of file is to the people who look at it. */
export type FileKind = (typeof KINDS)[ContentType]

/** The most pixels a picture may have, its header's width times its height. */
export const PIXELS_MAX = 100_000_000

/** What a file is by its bytes, or why it is not taken. `message` reads on behind the part's name. */
export type InspectedFile =
  | {
      outcome: 'accepted'
      kind: FileKind
      contentType: ContentType
      /** Pixels of the picture turned upright; null for what is not a picture. */
      width: number | null
      height: number | null
    }
  | Refusal

type Refusal = {
  outcome: 'refused'
  code: 'empty' | 'unsupported_type' | 'unreadable' | 'too_many_pixels'
  message: string
}

/**
 * Says what a file is from its bytes alone, the whole of them; the name and type that came with it are hearsay.
 * A picture's size is read from its header, which may lie: what only decoding shows is the decoder's to judge.
 * A PDF must begin and end as one, an MP4 must name a brand of MP4; neither is looked into. What follows the
 * end of a picture is not looked at either, so never serve an original under a type of its own choosing.
 * Animated PNG is PNG. Never throws, and takes time and memory in proportion to the file.
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
  return liesOnItsSide(bytes, contentType)
    ? accepted(contentType, { width: height, height: width })
    : accepted(contentType, { width, height })
}

const accepted = (
  contentType: ContentType,
  size: { width: number; height: number } | { width: null; height: null } = { width: null, height: null },
): InspectedFile => ({ outcome: 'accepted', kind: KINDS[contentType], contentType, ...size })

const refused = (code: Refusal['code'], message: string): Refusal => ({ outcome: 'refused', code, message })

/** All that a type of ours can be told by. More would let an archive choose how long it is looked through. */
const SAMPLE_BYTES = 4100

async function sniff(bytes: Buffer): Promise<ContentType | undefined> {
  // Loaded when a file comes: what is refused before never pays for it.
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)).catch(() => undefined)
  const mime = found?.mime === 'image/apng' ? 'image/png' : found?.mime
  if (mime === undefined || !isContentType(mime)) return undefined
  return mime === 'video/mp4' && !namesMp4(bytes) ? undefined : mime
}

const isContentType = (mime: string): mime is ContentType => Object.hasOwn(KINDS, mime)

/** `file-type` takes every file with an unknown brand for MP4, and some of those are pictures. */
const MP4_BRAND = /^(?:iso[m2-9a-c]|mp4[12]|avc1|dash|MSNV)$/

function namesMp4(bytes: Buffer): boolean {
  const brands =
    bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), SAMPLE_BYTES)).match(/.{4}/gs) ?? []
  return brands.some((brand) => MP4_BRAND.test(brand))
}

function imageSize(bytes: Buffer): { width: number; height: number } | undefined {
  try {
    const size = imageDimensionsFromData(bytes)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch {
    // A hostile AVIF with a million properties overflows its stack.
    return undefined
  }
}

/** Readers look for the end mark in the last 1,024 bytes (ISO 32000-1, annex H); scanners pad behind it. */
function isWholePdf(bytes: Buffer): boolean {
  let end = bytes.length
  while (end > 0 && bytes.readUInt8(end - 1) <= 0x20) end -= 1
  // Some writers put a byte order mark of three bytes before the five of the begin mark.
  const begins = bytes.subarray(0, 8).includes('%PDF-')
  return begins && bytes.subarray(Math.max(0, end - 1024), end).includes('%%EOF')
}
