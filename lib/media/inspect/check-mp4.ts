/** Reads a file piece by piece, and tells at the end whether it was a whole MP4. */
export type Mp4Check = { take: (chunk: Uint8Array) => void; isWhole: () => boolean }

const HEADER_BYTES = 8
const LARGE_HEADER_BYTES = 16

/** More than the fragments of a film of twelve hours: a hostile file may hold millions of empty boxes. */
const BOXES_MAX = 100_000

/**
 * Follows the outermost boxes of an MP4 (ISO/IEC 14496-12, 4.2). The file must begin with `ftyp`, hold `moov` and media
 * (`mdat`, or `moof` when fragmented), and end where its last box ends: a truncated file is refused, and so is one with
 * bytes after its last box. Does not read what the boxes hold. Memory does not grow with the file; a file of more than
 * 100,000 outermost boxes is refused.
 */
export function checkMp4(): Mp4Check {
  const seen = { boxes: 0, isTyped: false, hasMoov: false, hasMedia: false }
  let header = Buffer.alloc(0)
  let remaining = 0
  let isBroken = false

  const beginBox = (type: string, length: number): void => {
    seen.boxes += 1
    seen.isTyped ||= seen.boxes === 1 && type === 'ftyp'
    seen.hasMoov ||= type === 'moov'
    seen.hasMedia ||= type === 'mdat' || type === 'moof'
    isBroken = seen.boxes > BOXES_MAX || length < 0 || !seen.isTyped
    remaining = length
  }

  const readHeader = (chunk: Buffer): Buffer => {
    const wanted = header.length >= 4 && header.readUInt32BE(0) === 1 ? LARGE_HEADER_BYTES : HEADER_BYTES
    const rest = chunk.subarray(wanted - header.length)
    header = Buffer.concat([header, chunk.subarray(0, wanted - header.length)])
    if (header.length < wanted) return rest
    const size = header.readUInt32BE(0)
    if (size === 1 && header.length < LARGE_HEADER_BYTES) return rest
    // A size of 0 means that the box ends with the file.
    const length =
      size === 0 ? Number.POSITIVE_INFINITY : size === 1 ? Number(header.readBigUInt64BE(8)) : size
    beginBox(header.toString('latin1', 4, 8), length - header.length)
    header = Buffer.alloc(0)
    return rest
  }

  return {
    take: (chunk) => {
      let left = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      while (left.length > 0 && !isBroken) {
        if (remaining === 0) {
          left = readHeader(left)
          continue
        }
        const skipped = Math.min(remaining, left.length)
        remaining -= skipped
        left = left.subarray(skipped)
      }
    },
    isWhole: () =>
      !isBroken &&
      header.length === 0 &&
      (remaining === 0 || remaining === Number.POSITIVE_INFINITY) &&
      seen.isTyped &&
      seen.hasMoov &&
      seen.hasMedia,
  }
}
