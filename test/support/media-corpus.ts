import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { box, ftyp, uint16, uint32 } from './bytes.ts'
import { bmp, gzip, hostilePdfs, html, mp4, pdf, svg, zip } from './files.ts'
import {
  animatedPng,
  hollowAvif,
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
} from './pictures.ts'

/** Where every picture of the corpus that says so was taken. */
export const TAKEN_AT = { latitude: 5, longitude: -4 }

/**
 * A file, and what becomes of it: refused with a code as it comes, READY, or REJECTED for a reason. `size` is the
 * picture's, upright. `isLocated` files say where they were taken, in a way that a metadata reader finds.
 */
type CorpusFile = {
  name: string
  bytes: Buffer
  becomes: 'READY' | `REJECTED ${string}` | `400 ${string}`
  size?: [width: number, height: number]
  isLocated?: boolean
}

const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const

const photo = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: '#7a9',
      noise: { type: 'gaussian', mean: 120, sigma: 30 },
    },
  })

const half = (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length / 2))

const xmpWithPlace = Buffer.from(
  'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="5,20N" exif:GPSLongitude="4,1W"/></rdf:RDF></x:xmpmeta>',
)

/** A picture whose rows are all zeros, pressed to a thousandth: small to send, large to look at. */
const bomb = (side: number) => {
  const header = Buffer.concat([uint32(side), uint32(side), Buffer.from([1, 0, 0, 0, 0])])
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side), { level: 9 })
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

const pressedText = pngChunk(
  'zTXt',
  Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(40_000_000))]),
)

/** Good, odd and hostile files, as agents and strangers send them. */
export async function mediaCorpus(): Promise<CorpusFile[]> {
  const large = await photo(2400, 1600).jpeg().toBuffer()
  const rgb = await photo(640, 480).png().toBuffer()
  const p3 = await photo(640, 480).withIccProfile('p3').jpeg().toBuffer()
  const cmyk = await photo(64, 48).toColourspace('cmyk').jpeg().toBuffer()
  const webp = await photo(640, 480).webp().toBuffer()
  const avif = await photo(320, 240).avif({ effort: 0 }).toBuffer()
  const located = await photo(64, 48)
    .withExif({
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '5/1 0/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '4/1 0/1 0/1',
      },
    })
    .avif({ effort: 0 })
    .toBuffer()
  return [
    // What cameras, phones and editors write.
    { name: 'a progressive JPEG', bytes: jpeg(), becomes: 'READY', size: [24, 16] },
    { name: 'a baseline JPEG', bytes: sample('baselineJpeg'), becomes: 'READY', size: [24, 16] },
    { name: 'a JPEG larger than every variant', bytes: large, becomes: 'READY', size: [2400, 1600] },
    ...ORIENTATIONS.map((orientation) => ({
      name: `a JPEG turned by ${orientation}, with its place`,
      bytes: jpeg({ orientation, gps: TAKEN_AT, littleEndian: orientation % 2 === 0 }),
      becomes: 'READY' as const,
      size: (orientation < 5 ? [24, 16] : [16, 24]) as [number, number],
      isLocated: true,
    })),
    {
      name: 'a JPEG whose EXIF has a picture of its own',
      bytes: jpeg({ gps: TAKEN_AT, thumbnail: sample('thumbnail') }),
      becomes: 'READY',
      isLocated: true,
    },
    {
      name: 'a JPEG with its place in XMP',
      bytes: withSegments(jpeg(), segment(0xe1, xmpWithPlace)),
      becomes: 'READY',
    },
    {
      name: 'a JPEG with IPTC',
      bytes: withSegments(
        jpeg(),
        segment(
          0xed,
          Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x08\x1c\x02\x5a\0\x03Abj', 'latin1'),
        ),
      ),
      becomes: 'READY',
    },
    { name: 'a JPEG in Display P3', bytes: p3, becomes: 'READY', size: [640, 480] },
    { name: 'a JPEG in CMYK', bytes: cmyk, becomes: 'READY', size: [64, 48] },
    { name: 'a JPEG in grey', bytes: await photo(64, 48).greyscale().jpeg().toBuffer(), becomes: 'READY' },
    {
      name: 'a JPEG with 4:4:4 colour',
      bytes: await photo(64, 48).jpeg({ chromaSubsampling: '4:4:4' }).toBuffer(),
      becomes: 'READY',
    },
    {
      name: 'a JPEG of one pixel',
      bytes: await photo(1, 1).jpeg().toBuffer(),
      becomes: 'READY',
      size: [1, 1],
    },
    { name: 'a PNG', bytes: rgb, becomes: 'READY', size: [640, 480] },
    { name: 'a PNG in grey', bytes: png(), becomes: 'READY', size: [24, 16] },
    {
      name: 'a PNG with a palette',
      bytes: await photo(64, 48).png({ palette: true }).toBuffer(),
      becomes: 'READY',
    },
    {
      name: 'a PNG that is transparent',
      bytes: await photo(64, 48).ensureAlpha(0.5).png().toBuffer(),
      becomes: 'READY',
    },
    {
      name: 'a PNG of 16 bits',
      bytes: await photo(64, 48).toColourspace('rgb16').png().toBuffer(),
      becomes: 'READY',
    },
    {
      name: 'a PNG in passes',
      bytes: await photo(64, 48).png({ progressive: true }).toBuffer(),
      becomes: 'READY',
    },
    { name: 'an animated PNG', bytes: animatedPng(), becomes: 'READY', size: [24, 16] },
    {
      name: 'a PNG as wide as a street',
      bytes: png({ width: 20_000, height: 2 }),
      becomes: 'READY',
      size: [20_000, 2],
    },
    {
      name: 'a PNG as high as a tower',
      bytes: png({ width: 2, height: 20_000 }),
      becomes: 'READY',
      size: [2, 20_000],
    },
    { name: 'a PNG of one pixel', bytes: png({ width: 1, height: 1 }), becomes: 'READY', size: [1, 1] },
    { name: 'a lossy WebP', bytes: sample('lossyWebp'), becomes: 'READY', size: [24, 16] },
    { name: 'a lossless WebP', bytes: sample('losslessWebp'), becomes: 'READY', size: [24, 16] },
    { name: 'a transparent WebP', bytes: sample('alphaWebp'), becomes: 'READY', size: [24, 16] },
    { name: 'an animated WebP', bytes: sample('animatedWebp'), becomes: 'READY', size: [24, 16] },
    {
      name: 'a WebP with its place',
      bytes: webpWithExif({ gps: TAKEN_AT }),
      becomes: 'READY',
      size: [24, 16],
    },
    { name: 'a WebP turned', bytes: webpWithExif({ orientation: 6 }), becomes: 'READY', size: [16, 24] },
    { name: 'a WebP of a camera', bytes: webp, becomes: 'READY', size: [640, 480] },
    { name: 'an AVIF', bytes: sample('avif'), becomes: 'READY', size: [24, 16] },
    { name: 'an AVIF of a camera', bytes: avif, becomes: 'READY', size: [320, 240] },
    { name: 'an AVIF with its place', bytes: located, becomes: 'READY' },
    {
      name: 'an AVIF of 10 bits',
      bytes: await photo(64, 48)
        .avif({ effort: 0, bitdepth: 10 })
        .toBuffer()
        .catch(() => avif),
      becomes: 'READY',
    },
    { name: 'a floor plan', bytes: pdf(), becomes: 'READY' },
    { name: 'a floor plan with much in it', bytes: pdf({ bytes: 200_000 }), becomes: 'READY' },
    // Pictures that are something else too: what is shown is made anew, and nothing else of them.
    {
      name: 'a JPEG with an archive behind it',
      bytes: Buffer.concat([jpeg(), zip()]),
      becomes: 'READY',
      size: [24, 16],
    },
    {
      name: 'a JPEG with a page in its comment',
      bytes: withSegments(jpeg(), segment(0xfe, html())),
      becomes: 'READY',
    },
    { name: 'a JPEG with a page behind it', bytes: Buffer.concat([jpeg(), html()]), becomes: 'READY' },
    {
      name: 'a PNG with a program behind it',
      bytes: Buffer.concat([png(), Buffer.from('<?php system($_GET[0]);')]),
      becomes: 'READY',
    },
    {
      name: 'a PNG whose text unfolds to forty megabytes',
      bytes: png({ extra: [pressedText] }),
      becomes: 'READY',
    },
    {
      name: 'a PNG of 81 megapixels in ten kilobytes',
      bytes: bomb(9_000),
      becomes: '400 too_many_pixels',
    },
    {
      name: 'a drawing of 9 megapixels in a kilobyte',
      bytes: bomb(3_000),
      becomes: 'READY',
      size: [3_000, 3_000],
    },
    // Only decoding shows it.
    {
      name: 'a JPEG that claims 9 megapixels',
      bytes: jpegClaiming(3_000, 3_000),
      becomes: 'REJECTED unreadable',
    },
    { name: 'half a JPEG', bytes: half(large), becomes: 'REJECTED unreadable' },
    { name: 'the header of a JPEG', bytes: large.subarray(0, 700), becomes: 'REJECTED unreadable' },
    { name: 'half a PNG', bytes: half(rgb), becomes: 'REJECTED unreadable' },
    {
      name: 'a PNG without its picture',
      bytes: png({ width: 3_000, height: 3_000, hollow: true }),
      becomes: 'REJECTED unreadable',
    },
    { name: 'half a WebP', bytes: half(webp), becomes: 'REJECTED unreadable' },
    {
      name: 'a WebP with a frame around nothing',
      bytes: webpOf(vp8x(24, 16), riffChunk('VP8 ', Buffer.alloc(40))),
      becomes: 'REJECTED unreadable',
    },
    ...Object.entries(hostilePdfs())
      .filter(([name]) => !['isNoPdf', 'needsMemory'].includes(name))
      .map(([name, bytes]) => ({
        name: `a PDF that ${name}`,
        bytes,
        becomes: 'REJECTED unreadable' as const,
      })),
    { name: 'half an AVIF', bytes: half(avif), becomes: 'REJECTED unreadable' },
    {
      name: 'an AVIF without a picture',
      bytes: hollowAvif([{ width: 24, height: 16 }]),
      becomes: 'REJECTED unreadable',
    },
    // Told by the first bytes.
    { name: 'nothing', bytes: Buffer.alloc(0), becomes: '400 empty' },
    { name: 'text', bytes: Buffer.from('three bedrooms'), becomes: '400 unsupported_type' },
    { name: 'a drawing that is a program', bytes: svg(), becomes: '400 unsupported_type' },
    { name: 'a page', bytes: html(), becomes: '400 unsupported_type' },
    { name: 'an archive', bytes: zip(), becomes: '400 unsupported_type' },
    { name: 'pressed zeros', bytes: gzip(10_000_000), becomes: '400 unsupported_type' },
    { name: 'a Windows picture', bytes: bmp(), becomes: '400 unsupported_type' },
    { name: 'a GIF', bytes: await photo(8, 8).gif().toBuffer(), becomes: '400 unsupported_type' },
    { name: 'a TIFF', bytes: await photo(8, 8).tiff().toBuffer(), becomes: '400 unsupported_type' },
    {
      name: 'a program',
      bytes: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]),
      becomes: '400 unsupported_type',
    },
    {
      name: 'a HEIC',
      bytes: Buffer.concat([ftyp('heic', 'mif1'), box('meta'), box('mdat')]),
      becomes: '400 unsupported_type',
    },
    { name: 'a video in a form', bytes: mp4(), becomes: '400 unsupported_type' },
    { name: 'half a PDF', bytes: half(pdf()), becomes: '400 unreadable' },
    {
      name: 'a JPEG of nothing but its mark',
      bytes: Buffer.from('ffd8ffe0', 'hex'),
      becomes: '400 unreadable',
    },
    {
      name: 'a PNG of nothing but its mark',
      bytes: Buffer.from('89504e470d0a1a0a', 'hex'),
      becomes: '400 unsupported_type',
    },
    {
      name: 'a PNG of no width',
      bytes: png({ width: 0, height: 16, hollow: true }),
      becomes: '400 unreadable',
    },
    {
      name: 'a JPEG that claims 4 gigapixels',
      bytes: jpegClaiming(65_535, 65_535),
      becomes: '400 too_many_pixels',
    },
    {
      name: 'a PNG that claims 100 megapixels and one row',
      bytes: png({ width: 10_000, height: 10_001, hollow: true }),
      becomes: '400 too_many_pixels',
    },
    {
      name: 'an AVIF that claims too much',
      bytes: hollowAvif([{ width: 20_000, height: 20_000 }]),
      becomes: '400 too_many_pixels',
    },
    {
      name: 'a WebP that claims too much',
      bytes: webpOf(vp8x(16_000, 16_000), riffChunk('VP8 ', Buffer.alloc(40))),
      becomes: '400 too_many_pixels',
    },
    {
      name: 'a JPEG cut within its size',
      bytes: Buffer.concat([Buffer.from('ffd8ffc0', 'hex'), uint16(17)]),
      becomes: '400 unreadable',
    },
  ]
}
