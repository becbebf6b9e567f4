import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ContentType, inspectFile, PIXELS_MAX } from '#lib/media/inspect/inspect-file'
import { ftyp } from '#test/support/bytes'
import { exif } from '#test/support/exif'
import { bmp, gzip, html, mp4, pdf, svg, zip } from '#test/support/files'
import {
  animatedPng,
  hollowAvif,
  irot,
  jpeg,
  jpegClaiming,
  png,
  pngChunk,
  riffChunk,
  sample,
  segment,
  vp8x,
  webpOf,
  webpWithExif,
  withSegments,
} from '#test/support/pictures'

const ALL: readonly ContentType[] = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'application/pdf',
  'video/mp4',
]

/** The type of a file, or the code of its refusal. */
async function outcome(bytes: Buffer, allowed = ALL): Promise<string> {
  const file = await inspectFile(bytes, allowed)
  return file.outcome === 'refused' ? file.code : file.contentType
}

describe('an accepted file', () => {
  it('is described by its kind and type', async () => {
    expect(await inspectFile(jpeg(), ['image/jpeg'])).toEqual({
      outcome: 'accepted',
      kind: 'image',
      contentType: 'image/jpeg',
    })
    expect(await inspectFile(pdf(), ['application/pdf'])).toEqual({
      outcome: 'accepted',
      kind: 'document',
      contentType: 'application/pdf',
    })
    expect(await inspectFile(mp4(), ['video/mp4'])).toMatchObject({
      kind: 'video',
    })
  })

  it.each([
    ['a progressive JPEG', sample('jpeg'), 'image/jpeg'],
    ['a baseline JPEG', sample('baselineJpeg'), 'image/jpeg'],
    ['a PNG', sample('png'), 'image/png'],
    ['a grey PNG', png(), 'image/png'],
    ['an animated PNG, as PNG', animatedPng(), 'image/png'],
    [
      'a PNG with more before its data than is sampled',
      png({ extra: [pngChunk('iCCP', Buffer.alloc(9000))] }),
      'image/png',
    ],
    ['a lossy WebP', sample('lossyWebp'), 'image/webp'],
    ['a lossless WebP', sample('losslessWebp'), 'image/webp'],
    ['a WebP with transparency', sample('alphaWebp'), 'image/webp'],
    ['an animated WebP, by its canvas', sample('animatedWebp'), 'image/webp'],
    ['an AVIF', sample('avif'), 'image/avif'],
    ['an AVIF with transparency', sample('alphaAvif'), 'image/avif'],
    ['a PDF', pdf(), 'application/pdf'],
    ['a long PDF', pdf({ bytes: 100_000 }), 'application/pdf'],
    ['a PDF behind a byte order mark', Buffer.concat([Buffer.from('\ufeff'), pdf()]), 'application/pdf'],
    ['a PDF padded with zeros', Buffer.concat([pdf(), Buffer.alloc(5000)]), 'application/pdf'],
    [
      'a PDF with a few lines behind its end',
      Buffer.concat([pdf(), Buffer.from('\n% signed\n')]),
      'application/pdf',
    ],
    ['a PDF of two lines', Buffer.from('%PDF-1.4\n%%EOF'), 'application/pdf'],
    ['an MP4', mp4(), 'video/mp4'],
    ['an MP4 of a phone', mp4('mp42', 'isom'), 'video/mp4'],
    ['an MP4 by a compatible brand', mp4('XYZ1', 'mp41'), 'video/mp4'],
  ])('is %s', async (_, bytes, expected) => {
    expect(await outcome(bytes)).toBe(expected)
  })
})

describe('the size of an AVIF', () => {
  it('is that of its primary item, not of its thumbnail or of its largest item', async () => {
    const sizes = [
      { width: 10, height: 20 },
      { width: 300, height: 200 },
      { width: 40_000, height: 30_000 },
    ]
    expect(await outcome(hollowAvif(sizes))).toBe('image/avif')
    expect(await outcome(hollowAvif(sizes, { primary: 3 }))).toBe('too_many_pixels')
  })
})

describe('a type that is not welcome', () => {
  it.each([
    ['a GIF', sample('gif')],
    ['a TIFF', sample('tiff')],
    ['a BMP', bmp()],
    ['a ZIP', zip()],
    ['an SVG', svg()],
    ['an SVG with an XML declaration', Buffer.concat([Buffer.from('<?xml version="1.0"?>'), svg()])],
    ['an HTML page', html()],
    ['an HTML page that mentions a PDF', Buffer.concat([html(), pdf()])],
    ['plain text', Buffer.from('Three bedrooms, sea view')],
    ['JSON', Buffer.from('{"a":1}')],
    ['a HEIC', Buffer.concat([ftyp('heic', 'mif1', 'heic'), sample('avif').subarray(28)])],
    ['a HEIF', Buffer.concat([ftyp('mif1', 'heic'), sample('avif').subarray(28)])],
    ['a HEIC of a rare brand', Buffer.concat([ftyp('heim', 'mif1'), sample('avif').subarray(28)])],
    ['a JPEG XL', Buffer.from('0000000c4a584c200d0a870a00000014667479706a786c20', 'hex')],
    ['a JPEG 2000', Buffer.from('0000000c6a5020200d0a870a00000014667479706a703220', 'hex')],
    ['a QuickTime film', mp4('qt  ')],
    ['a 3GP film', mp4('3gp5', 'isom')],
    ['sound in MP4', mp4('M4A ', 'isom')],
    ['a brand of nobody', mp4('zzzz')],
    ['an executable', Buffer.from('MZ\x90\0', 'latin1')],
    ['a pressed file of 100 MB', gzip(100_000_000)],
    ['one byte', Buffer.from([0xff])],
    ['random bytes', Buffer.from('00ff10ee20dd30cc40bb', 'hex')],
    ['a million zeros', Buffer.alloc(1_000_000)],
    ['a script with a JPEG in it', Buffer.concat([Buffer.from('#!/bin/sh\n'), jpeg()])],
  ])('is refused: %s', async (_, bytes) => {
    expect(await outcome(bytes)).toBe('unsupported_type')
  })

  it('is one that the caller did not ask for, however good the file', async () => {
    expect(await inspectFile(mp4(), ['image/jpeg', 'image/png'])).toEqual({
      outcome: 'refused',
      code: 'unsupported_type',
      message: 'must be one of image/jpeg, image/png',
    })
    expect(await outcome(sample('avif'), ['image/jpeg'])).toBe('unsupported_type')
    expect(await outcome(animatedPng(), ['image/jpeg'])).toBe('unsupported_type')
  })
})

describe('a file that cannot be read', () => {
  const header = (bytes: Buffer, length: number) => bytes.subarray(0, length)
  const PNG_HEAD = png().subarray(0, 8)

  it.each([
    ['a JPEG of three bytes', header(jpeg(), 3)],
    ['a JPEG cut before its frame', header(jpeg(), 40)],
    ['a JPEG without a frame', Buffer.from('ffd8ffd9', 'hex')],
    ['a JPEG whose scan comes before its frame', withSegments(jpeg(), segment(0xda, Buffer.alloc(10)))],
    ['a JPEG whose segment is longer than the file', Buffer.from('ffd8ffe1ffff4578', 'hex')],
    ['a JPEG of no width', jpegClaiming(0, 16)],
    ['a JPEG of no height', jpegClaiming(24, 0)],
    ['a page with the magic of JPEG', Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), html()])],
    ['a PDF with the magic of JPEG', Buffer.concat([Buffer.from('ffd8ff', 'hex'), pdf()])],
    ['a JPEG behind a byte order mark', Buffer.concat([Buffer.from('\ufeff'), jpeg()])],
    ['a PNG of no width', png({ width: 0 })],
    [
      'a PNG whose first chunk is not its header',
      Buffer.concat([PNG_HEAD, pngChunk('IDAT', Buffer.alloc(40))]),
    ],
    ['a WebP of nothing', webpOf()],
    ['a WebP of an unknown chunk', webpOf(riffChunk('JUNK', Buffer.alloc(20)))],
    ['a WebP cut within its header', header(sample('lossyWebp'), 22)],
    ['a lossless WebP without its signature', webpOf(riffChunk('VP8L', Buffer.alloc(20)))],
    ['an AVIF of a brand alone', ftyp('avif', 'mif1')],
    ['an AVIF cut within its header', header(sample('avif'), 100)],
    ['an AVIF without a size', hollowAvif([])],
    ['an AVIF whose primary item is not there', hollowAvif([{ width: 24, height: 16 }], { primary: 9 })],
    ['an AVIF of no width', hollowAvif([{ width: 0, height: 16 }])],
    ['a PDF cut short', header(pdf(), 200)],
    ['a PDF of its first line', Buffer.from('%PDF-1.7\n')],
    ['a PDF with a page of HTML behind its end', Buffer.concat([pdf(), Buffer.alloc(2000, 'x'), html()])],
    ['what begins like a PDF and is none', Buffer.from('%PDFfoo %%EOF')],
  ])('is refused: %s', async (_, bytes) => {
    expect(await outcome(bytes)).toBe('unreadable')
  })

  it.each([
    ['a PNG of its signature', PNG_HEAD],
    ['a PNG whose header has another length', Buffer.concat([PNG_HEAD, pngChunk('IHDR', Buffer.alloc(40))])],
  ])('is not even taken for a picture: %s', async (_, bytes) => {
    expect(await outcome(bytes)).toBe('unsupported_type')
  })

  it('is refused where it is empty', async () => {
    expect(await inspectFile(Buffer.alloc(0), ALL)).toEqual({
      outcome: 'refused',
      code: 'empty',
      message: 'must not be empty',
    })
  })
})

describe('a picture of too many pixels', () => {
  const hollow = (width: number, height: number) => png({ width, height, hollow: true })
  /** A file of a byte for every thousand pixels: what follows the picture's end is not read. */
  const weighty = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(PIXELS_MAX / 1000)])

  it.each([
    ['a PNG of 100 megapixels', weighty(hollow(10_000, 10_000)), 'image/png'],
    ['a PNG of 100 megapixels in a hundred bytes', hollow(10_000, 10_000), 'too_many_pixels'],
    ['a drawing of 10 megapixels in a hundred bytes', hollow(5000, 2000), 'image/png'],
    ['a drawing of one row more', hollow(5000, 2001), 'too_many_pixels'],
    ['a PNG of one row more', hollow(10_000, 10_001), 'too_many_pixels'],
    ['a PNG of the greatest size there is', hollow(0x7fffffff, 0x7fffffff), 'too_many_pixels'],
    ['a long thin PNG', weighty(hollow(PIXELS_MAX, 1)), 'image/png'],
    ['a JPEG of the greatest size there is', jpegClaiming(65_535, 65_535), 'too_many_pixels'],
    ['a JPEG of 100 megapixels', weighty(jpegClaiming(12_500, 8000)), 'image/jpeg'],
    ['a WebP of the greatest canvas there is', webpOf(vp8x(16_777_216, 16_777_216)), 'too_many_pixels'],
    [
      'an AVIF of the greatest size there is',
      hollowAvif([{ width: 0xffffffff, height: 0xffffffff }]),
      'too_many_pixels',
    ],
  ])('is judged by its header: %s', async (_, bytes, expected) => {
    expect(await outcome(bytes)).toBe(expected)
  })

  it('is told its limit and its size', async () => {
    expect(await inspectFile(hollow(20_000, 10_000), ALL)).toEqual({
      outcome: 'refused',
      code: 'too_many_pixels',
      message: 'must have at most 100000000 pixels, not 20000 by 10000',
    })
  })
})

// Every byte of an uploaded file is the attacker's: lengths that lie, properties by the million, directories
// that point at themselves. Whatever is sent, the answer is data, and it comes in time.
describe('a hostile file', () => {
  const models = [
    jpeg({ orientation: 6, gps: { latitude: 1, longitude: 2 }, thumbnail: sample('thumbnail') }),
    png({ extra: [pngChunk('eXIf', exif({ orientation: 6 }))] }),
    webpWithExif({ orientation: 6 }),
    sample('animatedWebp'),
    sample('turnedAvif'),
    sample('alphaAvif'),
    pdf(),
    mp4(),
    zip(),
    sample('tiff'),
  ]
  const answered = async (bytes: Buffer) =>
    ['accepted', 'refused'].includes((await inspectFile(bytes, ALL)).outcome)

  it('made of random bytes is answered', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), (bytes) => answered(Buffer.from(bytes))),
    )
  })

  it('a file that begins like a good one is answered', async () => {
    const start = fc
      .tuple(fc.constantFrom(...models), fc.nat({ max: 200 }))
      .map(([model, length]) => model.subarray(0, length))
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 500 }), (bytes, rest) =>
        answered(Buffer.concat([bytes, rest])),
      ),
      { numRuns: 1000 },
    )
  })

  it('made of a good one with some bytes changed is answered', async () => {
    const change = fc.tuple(
      fc.nat({ max: 1200 }),
      fc.constantFrom(0, 1, 6, 8, 0x7f, 0x80, 0xd8, 0xe1, 0xfe, 0xff),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...models),
        fc.array(change, { minLength: 1, maxLength: 8 }),
        (model, changes) => {
          const bytes = Buffer.from(model)
          for (const [place, value] of changes) bytes[place % bytes.length] = value
          return answered(bytes)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('made of good ones put together is answered', async () => {
    const two = fc.tuple(fc.constantFrom(...models), fc.nat({ max: 300 }), fc.constantFrom(...models))
    await fc.assert(
      fc.asyncProperty(two, ([first, length, second]) =>
        answered(Buffer.concat([first.subarray(0, length), second])),
      ),
      { numRuns: 500 },
    )
  })

  const MANY = 4 * 1024 * 1024
  const avifOf = (size: number) =>
    Array.from({ length: Math.floor(size / 24) }, () => ({ width: 24, height: 16 }))

  it.each([
    ['a JPEG of fill bytes', withSegments(jpeg(), Buffer.alloc(MANY, 0xff)), 'image/jpeg'],
    [
      'a JPEG of empty segments',
      withSegments(jpeg(), Buffer.alloc(MANY, segment(0xe1, Buffer.alloc(0)))),
      'image/jpeg',
    ],
    [
      'a JPEG of nothing but zeros behind its magic',
      Buffer.concat([Buffer.from('ffd8ffe00000', 'hex'), Buffer.alloc(MANY)]),
      'unreadable',
    ],
    [
      'a PNG of empty chunks',
      png({ extra: [Buffer.alloc(MANY, pngChunk('tEXt', Buffer.alloc(0)))] }),
      'image/png',
    ],
    [
      'a WebP of empty chunks',
      webpOf(vp8x(24, 16), Buffer.alloc(MANY, riffChunk('JUNK', Buffer.alloc(0)))),
      'image/webp',
    ],
    [
      'an AVIF of empty properties',
      hollowAvif([{ width: 24, height: 16 }], { properties: [Buffer.alloc(MANY, irot(0))] }),
      'image/avif',
    ],
    [
      'an AVIF of a hundred thousand sizes and owners',
      hollowAvif(avifOf(MANY).slice(0, 60_000)),
      'image/avif',
    ],
    [
      'a PDF of nothing but padding behind its end',
      Buffer.concat([pdf(), Buffer.alloc(MANY, ' ')]),
      'application/pdf',
    ],
    ['an archive of the same entry over and over', Buffer.alloc(MANY, zip()), 'unsupported_type'],
  ])('as large as a part may be is answered in its turn: %s', async (_, bytes, expected) => {
    expect(await outcome(bytes)).toBe(expected)
  })

  it('a file with more properties than a stack can hold is unreadable', async () => {
    const bytes = hollowAvif([{ width: 24, height: 16 }])
    const owners = bytes.indexOf('ipma') - 4
    const count = 1_000_000
    const many = Buffer.concat([bytes.subarray(0, owners), Buffer.alloc(16), Buffer.alloc(count * 3)])
    many.writeUInt32BE(16 + count * 3, owners)
    many.write('ipma', owners + 4)
    many.writeUInt32BE(count, owners + 12)
    for (const type of ['meta', 'iprp'])
      many.writeUInt32BE(many.length - (many.indexOf(type) - 4), many.indexOf(type) - 4)
    expect(await outcome(many)).toBe('unreadable')
  })
})
