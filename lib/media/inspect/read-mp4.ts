/** A box to blank: where its type stands, and where its contents begin and end. Offsets in bytes. */
export type Blank = { typeAt: number; from: number; to: number }

/** Reads a file piece by piece. At the end it tells whether the file was a whole MP4, and which boxes to blank. */
export type Mp4Reader = {
  take: (chunk: Uint8Array) => void
  isWhole: () => boolean
  /** The boxes that may hold a place, a device or an owner. */
  blanks: () => Blank[]
}

const HEADER_BYTES = 8
const LARGE_HEADER_BYTES = 16
const HANDLER_BYTES = 12

/** More than the fragments of a film of twelve hours: a hostile file may hold millions of empty boxes. */
const BOXES_MAX = 100_000

/** Boxes that hold other boxes, among which personal data may be. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia'])

/** Boxes that hold user data, metadata (XMP in `uuid`), or anything at all. */
const PERSONAL = new Set(['udta', 'meta', 'uuid', 'free', 'skip'])

type Container = { type: string; start: number; contents: number; end: number; isMetadata: boolean }

/**
 * Follows the boxes of an MP4 (ISO/IEC 14496-12, 4.2). A whole file begins with `ftyp`, holds `moov` and media (`mdat`,
 * or `moof` when fragmented), and ends where its last box ends. Tracks of timed metadata, such as GPS positions, count as
 * personal. Memory does not grow with the file; a file of more than 100,000 boxes is refused.
 */
export function readMp4(): Mp4Reader {
  const seen = { boxes: 0, isTyped: false, hasMoov: false, hasMedia: false }
  const open: Container[] = []
  const found: Blank[] = []
  let pending: Buffer = Buffer.alloc(0)
  let wanted = HEADER_BYTES
  let at = 0
  let skip = 0
  let isBroken = false

  const closeEnded = (): void => {
    for (let last = open.at(-1); last && at >= last.end; last = open.at(-1)) {
      open.pop()
      if (last.type === 'trak' && last.isMetadata)
        found.push({ typeAt: last.start + 4, from: last.contents, to: last.end })
    }
  }

  const noteOutermost = (type: string): void => {
    seen.isTyped ||= seen.boxes === 1 && type === 'ftyp'
    seen.hasMoov ||= type === 'moov'
    seen.hasMedia ||= type === 'mdat' || type === 'moof'
  }

  const begin = (type: string, start: number, end: number): void => {
    seen.boxes += 1
    if (open.length === 0) noteOutermost(type)
    const limit = open.at(-1)?.end ?? Number.POSITIVE_INFINITY
    isBroken ||= seen.boxes > BOXES_MAX || !seen.isTyped || end < at || end > limit
    if (PERSONAL.has(type)) found.push({ typeAt: start + 4, from: at, to: end })
    if (CONTAINERS.has(type)) open.push({ type, start, contents: at, end, isMetadata: false })
    else if (type === 'hdlr' && end - at >= HANDLER_BYTES) wanted = LARGE_HEADER_BYTES + HANDLER_BYTES
    else skip = end - at
    handlerEnd = end
  }
  let handlerEnd = 0

  /** A `hdlr` says what its track holds: pictures, sound, text, or metadata that goes with time. */
  const readHandler = (bytes: Buffer): void => {
    const track = open.findLast(({ type }) => type === 'trak')
    if (track && bytes.toString('latin1', 8, 12) === 'meta') track.isMetadata = true
    skip = handlerEnd - at
  }

  const readHeader = (bytes: Buffer): void => {
    const size = bytes.readUInt32BE(0)
    if (size === 1 && bytes.length === HEADER_BYTES) {
      wanted = LARGE_HEADER_BYTES
      pending = bytes
      return
    }
    wanted = HEADER_BYTES
    const start = at - bytes.length
    const length = size === 1 ? Number(bytes.readBigUInt64BE(8)) : size
    // A size of 0 means that the box ends with the file.
    begin(bytes.toString('latin1', 4, 8), start, size === 0 ? Number.POSITIVE_INFINITY : start + length)
  }

  return {
    take: (chunk) => {
      let left = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      const advance = (bytes: number): Buffer => {
        const taken = left.subarray(0, bytes)
        left = left.subarray(taken.length)
        at += taken.length
        return taken
      }
      while (left.length > 0 && !isBroken) {
        if (skip > 0) {
          skip -= advance(Math.min(skip, left.length)).length
          continue
        }
        if (pending.length === 0) closeEnded()
        const isHandler = wanted > LARGE_HEADER_BYTES
        const length = isHandler ? HANDLER_BYTES : wanted
        pending = Buffer.concat([pending, advance(length - pending.length)])
        if (pending.length < length) continue
        const bytes = pending
        pending = Buffer.alloc(0)
        if (isHandler) wanted = HEADER_BYTES
        if (isHandler) readHandler(bytes)
        else readHeader(bytes)
      }
    },
    isWhole: () => {
      closeEnded()
      const isEnded = skip === 0 || skip === Number.POSITIVE_INFINITY
      const isClosed = open.every(({ end }) => end === Number.POSITIVE_INFINITY)
      const isComplete = seen.isTyped && seen.hasMoov && seen.hasMedia
      return !isBroken && pending.length === 0 && isEnded && isClosed && isComplete
    },
    blanks: () => found,
  }
}
