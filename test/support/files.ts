import { gzipSync } from 'node:zlib'
import { box, ftyp, reversed, uint32 } from './bytes.ts'

/** A PDF of one empty page, as long as it is asked to be. */
export function pdf({ bytes = 0 } = {}): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>',
  ]
  let text = `%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${' '.repeat(bytes)}`
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = text.length
  text += `xref\n0 4\n0000000000 65535 f \n${offsets.join('')}trailer<</Size 4/Root 1 0 R>>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** The beginning of an MP4, with nothing in it to play. */
export const mp4 = (...brands: string[]): Buffer =>
  Buffer.concat([
    ftyp(...(brands.length > 0 ? brands : ['isom', 'iso2', 'avc1', 'mp41'])),
    box('moov'),
    box('mdat'),
  ])

/** A black picture as Windows keeps it. */
export const bmp = (): Buffer =>
  Buffer.concat([
    Buffer.from('BM'),
    reversed(uint32(58)),
    uint32(0),
    ...[54, 40, 1, 1].map((value) => reversed(uint32(value))),
    Buffer.from([1, 0, 24, 0]),
    Buffer.alloc(28),
  ])

/** An archive of one empty file. */
export const zip = (): Buffer => {
  const fields = Buffer.concat([Buffer.from([10, 0]), Buffer.alloc(20), Buffer.from([1, 0])])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x0a\0'), fields, Buffer.alloc(16), Buffer.from('a')])
  return Buffer.concat([
    Buffer.from('PK\x03\x04'),
    fields,
    Buffer.from([0, 0]),
    Buffer.from('a'),
    central,
    Buffer.from('PK\x05\x06\0\0\0\0\x01\0\x01\0'),
    reversed(uint32(central.length)),
    reversed(uint32(31)),
    Buffer.from([0, 0]),
  ])
}

/** Zeros pressed to a thousandth. */
export const gzip = (bytes: number): Buffer => gzipSync(Buffer.alloc(bytes))

/** A picture that is a program. */
export const svg = (): Buffer =>
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16"><script>alert(1)</script></svg>',
  )

/** A page that is a program. */
export const html = (): Buffer => Buffer.from('<!doctype html><html><script>alert(1)</script></html>')
