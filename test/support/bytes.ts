/** An integer in two bytes, the high one first. */
export const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255])

/** An integer in four bytes, the high one first. */
export const uint32 = (value: number): Buffer => Buffer.concat([uint16(value >>> 16), uint16(value & 0xffff)])

/** The same bytes, the low one first. */
export const reversed = (bytes: Buffer): Buffer => Buffer.from(bytes).reverse()

/** A box of an ISO base media file. */
export const box = (type: string, ...contents: Buffer[]): Buffer => {
  const content = Buffer.concat(contents)
  return Buffer.concat([uint32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

/** The box that names the brands of a file, the major one first. */
export const ftyp = (...brands: string[]): Buffer =>
  box('ftyp', Buffer.from(brands[0] ?? '', 'latin1'), uint32(0), Buffer.from(brands.join(''), 'latin1'))
