/** The pictures that may be stored lying on their side. */
export type PictureType = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif'

/**
 * Whether a picture is stored lying on its side, so that upright its width is the height of its header. JPEG,
 * PNG and WebP say so in EXIF (CIPA DC-008, 4.6.4: orientations 5 to 8), AVIF by its `irot` property, before
 * which EXIF does not count (ISO/IEC 23008-12, 6.5.10). Never throws: what cannot be read lies as it shows.
 * Takes time in proportion to the file. Does not tell which item of an AVIF is turned: all of a picture are.
 */
export function liesOnItsSide(bytes: Buffer, type: PictureType): boolean {
  try {
    if (type === 'image/avif') return isTurnedAvif(bytes)
    const exif = EXIF_OF[type](bytes)
    return exif !== undefined && orientation(exif) >= 5
  } catch {
    // Reading beyond the end of a file that is cut short or lies about its lengths.
    return false
  }
}

const EXIF_OF: Record<Exclude<PictureType, 'image/avif'>, (bytes: Buffer) => Buffer | undefined> = {
  'image/jpeg': jpegExif,
  'image/png': pngExif,
  'image/webp': webpExif,
}

const EXIF_MARK = Buffer.from('Exif\0\0')

/** The `Exif` segment before the scan (ITU-T T.81, B.1.1), which XMP and others may precede. */
function jpegExif(bytes: Buffer): Buffer | undefined {
  for (let at = bytes.indexOf(0xff, 2); at >= 0; ) {
    const marker = bytes.readUInt8(at + 1)
    if (marker === 0xda || marker === 0xd9) return undefined
    // Any number of 0xff may fill the space before a marker.
    const end = marker === 0xff ? at + 1 : at + 2 + bytes.readUInt16BE(at + 2)
    if (marker === 0xe1 && startsWith(bytes.subarray(at + 4, end), EXIF_MARK)) {
      return bytes.subarray(at + 4 + EXIF_MARK.length, end)
    }
    at = bytes.indexOf(0xff, end)
  }
  return undefined
}

/** The `eXIf` chunk (PNG third edition, 11.3.4.6). */
function pngExif(bytes: Buffer): Buffer | undefined {
  for (let at = 8; ; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'eXIf') return bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at))
    if (type === 'IEND') return undefined
  }
}

/** The `EXIF` chunk (RFC 9649, 2.7.1.4), where many writers leave the mark of JPEG. */
function webpExif(bytes: Buffer): Buffer | undefined {
  for (let at = 12; ; ) {
    const length = bytes.readUInt32LE(at + 4)
    const data = bytes.subarray(at + 8, at + 8 + length)
    if (bytes.toString('latin1', at, at + 4) === 'EXIF') {
      return startsWith(data, EXIF_MARK) ? data.subarray(EXIF_MARK.length) : data
    }
    // Chunks have an even length.
    at += 8 + length + (length % 2)
  }
}

const startsWith = (bytes: Buffer, mark: Buffer): boolean => bytes.subarray(0, mark.length).equals(mark)

const ORIENTATION = 0x0112

/** The orientation, 1 to 8, in the first directory of a TIFF (TIFF 6.0, section 2); 1 where it has none. */
function orientation(tiff: Buffer): number {
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return 1
  const uint16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  for (let entry = 0; entry < uint16(directory); entry += 1) {
    const at = directory + 2 + 12 * entry
    if (uint16(at) === ORIENTATION) return uint16(at + 8) <= 8 ? uint16(at + 8) : 1
  }
  return 1
}

/** An `irot` by a quarter or three among the item properties, in `meta`, `iprp`, `ipco`. */
function isTurnedAvif(bytes: Buffer): boolean {
  for (const meta of boxes(bytes, 'meta')) {
    // `meta` is a full box: four bytes of version and flags come first.
    for (const properties of boxes(meta.subarray(4), 'iprp')) {
      for (const container of boxes(properties, 'ipco')) {
        for (const rotation of boxes(container, 'irot')) {
          if (rotation.readUInt8(0) % 2 === 1) return true
        }
      }
    }
  }
  return false
}

/** The contents of the boxes of a type, one after another (ISO/IEC 14496-12, 4.2). */
function* boxes(bytes: Buffer, type: string): Generator<Buffer> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at)
    const header = size === 1 ? 16 : 8
    const length = size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size || bytes.length - at
    if (length < header) return
    if (bytes.toString('latin1', at + 4, at + 8) === type) yield bytes.subarray(at + header, at + length)
    at += length
  }
}
