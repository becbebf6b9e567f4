import { deflateSync, gzipSync } from 'node:zlib'
import { box, ftyp, reversed, uint32 } from './bytes.ts'

/** A PDF of one empty page, and so many bytes more. */
export const pdf = ({ bytes = 0 } = {}): Buffer => pdfOf(pages('<<>>', ''), { padding: bytes })

/** A PDF whose pages are each half as wide as the one before, with a black bar at the foot of each. */
export const floorPlans = (count: number): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${Array.from({ length: count }, (_, index) => `${index + 4} 0 R`).join(' ')}]/Count ${count}>>`,
    stream('', '0 0 2000 20 re f'),
    ...Array.from(
      { length: count },
      (_, index) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${2000 / 2 ** index} 100]/Contents 3 0 R>>`,
    ),
  ])

/** PDFs that harm who draws them, by what they do. */
export const hostilePdfs = () => ({
  /** Forms that draw forms that draw forms: 12 to the power of 12 rectangles. */
  needsMemory: pdfOf([
    ...pages('<</XObject<</F 5 0 R>>>>', '/F Do'),
    ...Array.from({ length: 11 }, (_, index) => form('/F Do '.repeat(12), `/F ${index + 6} 0 R`)),
    form('0 0 10 10 re f '),
  ]),
  hasNoPages: pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>']),
  isItsOwnPage: pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[2 0 R]/Count 1>>']),
  asksForAPassword: pdfOf(pages('<<>>', ''), {
    trailer: `/ID[(a)(a)]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O(${'o'.repeat(32)})/U(${'u'.repeat(32)})>>`,
  }),
  isNoPdf: Buffer.from('%PDF-1.7\nthree bedrooms\n%%EOF'),
})

/** PDFs that take longer to draw than anybody waits, by what they do. */
export const slowPdfs = () => ({
  /** A picture of 256 megapixels, in 250 kB. */
  holdsAHugePicture: pdfOf([
    ...pages('<</XObject<</F 5 0 R>>>>', '72 0 0 72 0 0 cm /F Do'),
    stream(
      '/Type/XObject/Subtype/Image/Width 16000/Height 16000/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode',
      deflateSync(Buffer.alloc(16_000 * 16_000), { level: 9 }).toString('latin1'),
    ),
  ]),
  /** A page filled twenty thousand times, each time blended with the page, in 1 kB. */
  blends: pdfOf([
    ...pages('<</ExtGState<</B<</BM/Luminosity>>>>>>', '').slice(0, -1),
    stream(
      '/Filter/FlateDecode',
      deflateSync(`/B gs ${'0 0 72 72 re f '.repeat(20_000)}`, { level: 9 }).toString('latin1'),
    ),
  ]),
})

function pages(resources: string, content: string): string[] {
  return [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]/Contents 4 0 R/Resources${resources}>>`,
    stream('', content),
  ]
}

function stream(dictionary: string, content: string): string {
  return `<<${dictionary}/Length ${content.length}>>stream\n${content}\nendstream\n`
}

function form(content: string, drawn = ''): string {
  return stream(`/Type/XObject/Subtype/Form/BBox[0 0 72 72]/Resources<</XObject<<${drawn}>>>>`, content)
}

function pdfOf(objects: string[], { padding = 0, trailer = '' } = {}): Buffer {
  let text = `%PDF-1.7\n%\xe2\xe3\xcf\xd3\n${' '.repeat(padding)}`
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj${object}endobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = text.length
  text += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer<</Size ${size}/Root 1 0 R${trailer}>>\nstartxref\n${table}\n%%EOF\n`
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
