/** Takes the bytes of a file piece by piece, and says at the end whether they were a whole MP4. */
export type Mp4Check = { take: (chunk: Uint8Array) => void; isWhole: () => boolean }

const HEADER_BYTES = 8
const LARGE_HEADER_BYTES = 16

/**
 * Follows the outermost boxes of an MP4 (ISO/IEC 14496-12, 4.2) without keeping any: it must begin with `ftyp`,
 * hold `moov` and the media itself (`mdat`, or `moof` when fragmented), and end where its last box does. A file cut
 * short is found out, one with something behind it too. Does not look at what the boxes hold.
 */
export function checkMp4(): Mp4Check {
  const types: string[] = []
  let header = Buffer.alloc(0)
  let remaining = 0
  let isBroken = false

  const readHeader = (chunk: Buffer): Buffer => {
    const wanted = header.length >= 4 && header.readUInt32BE(0) === 1 ? LARGE_HEADER_BYTES : HEADER_BYTES
    const rest = chunk.subarray(wanted - header.length)
    header = Buffer.concat([header, chunk.subarray(0, wanted - header.length)])
    if (header.length < wanted) return rest
    const size = header.readUInt32BE(0)
    if (size === 1 && header.length < LARGE_HEADER_BYTES) return rest
    types.push(header.toString('latin1', 4, 8))
    // A size of nothing means: to the end of the file.
    const length =
      size === 0 ? Number.POSITIVE_INFINITY : size === 1 ? Number(header.readBigUInt64BE(8)) : size
    isBroken ||= length < header.length
    remaining = length - header.length
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
      types[0] === 'ftyp' &&
      types.includes('moov') &&
      (types.includes('mdat') || types.includes('moof')),
  }
}
