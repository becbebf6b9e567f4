import { crc32, deflateSync } from 'node:zlib'
import { box, ftyp, reversed, uint16, uint32 } from './bytes.ts'
import { type ExifFacts, exif } from './exif.ts'
import { SAMPLES } from './samples.ts'

/** The size of every picture built here, unless another is asked for. */
const PICTURE = { width: 24, height: 16 }

/** One of the embedded pictures. */
export const sample = (name: keyof typeof SAMPLES): Buffer => Buffer.from(SAMPLES[name], 'base64')

const EXIF_MARK = Buffer.from('Exif\0\0')

/** A segment of a JPEG. */
export const segment = (marker: number, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker]), uint16(data.length + 2), data])

/** A JPEG with segments put behind its start. */
export const withSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])

/** A real JPEG, with what a camera writes beside it. */
export const jpeg = (facts?: ExifFacts): Buffer =>
  facts
    ? withSegments(sample('jpeg'), segment(0xe1, Buffer.concat([EXIF_MARK, exif(facts)])))
    : sample('jpeg')

/** A JPEG whose header claims another size: it can be inspected, not decoded. */
export function jpegClaiming(width: number, height: number): Buffer {
  const bytes = sample('baselineJpeg')
  const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  return Buffer.concat([
    bytes.subarray(0, frame + 5),
    uint16(height),
    uint16(width),
    bytes.subarray(frame + 9),
  ])
}

/** A chunk of a PNG. */
export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** A real grey PNG of any size, `extra` chunks before its data. A size past a few thousand needs `hollow`. */
export function png({
  width = PICTURE.width,
  height = PICTURE.height,
  extra = [] as Buffer[],
  hollow = false,
} = {}) {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from([8, 0, 0, 0, 0])])
  const rows = hollow ? Buffer.alloc(0) : Buffer.alloc((width + 1) * height)
  const chunks = [
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([PNG_SIGNATURE, ...chunks])
}

/** A real animated PNG of one frame. */
export const animatedPng = (): Buffer =>
  png({
    extra: [
      pngChunk('acTL', Buffer.concat([uint32(1), uint32(0)])),
      pngChunk(
        'fcTL',
        Buffer.concat([
          uint32(0),
          uint32(24),
          uint32(16),
          uint32(0),
          uint32(0),
          uint16(1),
          uint16(10),
          uint16(0),
        ]),
      ),
    ],
  })

/** A chunk of a RIFF file. */
export const riffChunk = (type: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(type, 'latin1'),
    reversed(uint32(data.length)),
    data,
    Buffer.alloc(data.length % 2),
  ])

/** A WebP of these chunks. */
export function webpOf(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks])
  return Buffer.concat([Buffer.from('RIFF'), reversed(uint32(body.length)), body])
}

/** The header of an extended WebP. `flags` says what chunks follow. */
export const vp8x = (width: number, height: number, flags = 0): Buffer =>
  riffChunk(
    'VP8X',
    Buffer.concat([
      Buffer.from([flags, 0, 0, 0]),
      ...[width - 1, height - 1].map((side) => reversed(uint32(side)).subarray(0, 3)),
    ]),
  )

/** A real WebP with EXIF, with the mark of JPEG before it or without. */
export function webpWithExif(facts: ExifFacts, { marked = false } = {}): Buffer {
  const block = marked ? Buffer.concat([EXIF_MARK, exif(facts)]) : exif(facts)
  return webpOf(vp8x(24, 16, 8), sample('lossyWebp').subarray(12), riffChunk('EXIF', block))
}

/** An AVIF without a picture in it: an item of each size, the first or the one told being the primary one. */
export function hollowAvif(
  sizes: readonly { width: number; height: number }[],
  { primary = 1, properties = [] as Buffer[] } = {},
) {
  const extents = sizes.map(({ width, height }) => box('ispe', uint32(0), uint32(width), uint32(height)))
  const owners = sizes.map((_, index) => Buffer.concat([uint16(index + 1), Buffer.from([1, index + 1])]))
  return Buffer.concat([
    ftyp('avif', 'mif1', 'miaf'),
    box(
      'meta',
      uint32(0),
      box('pitm', uint32(0), uint16(primary)),
      box(
        'iprp',
        box('ipco', ...extents, ...properties),
        box('ipma', uint32(0), uint32(sizes.length), ...owners),
      ),
    ),
    box('mdat', Buffer.alloc(16)),
  ])
}

/** The property that turns an item by quarters, against the clock. */
export const irot = (quarters: number): Buffer => box('irot', Buffer.from([quarters]))
