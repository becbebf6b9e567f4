/** A box to blank: the offset of its type, and where its contents begin and end, in bytes of the file. */
export type Blank = { typeAt: number; from: number; to: number }

/** The size of a film in pixels, turned upright. */
export type FilmSize = { width: number; height: number }

/** Reads a file piece by piece. At the end it reports whether the file was a whole MP4, and the boxes to blank. */
export type Mp4Reader = {
  take: (chunk: Uint8Array) => void
  isWhole: () => boolean
  /** The boxes that may hold a place, a device or an owner. */
  blanks: () => Blank[]
  /** The size of the first track that has one; else undefined. */
  size: () => FilmSize | undefined
}

/** The end of a box whose size is given as 0: it ends with the file. */
const END_OF_FILE = Number.POSITIVE_INFINITY

/** A header of a box: its size in four bytes, and its type in four. A large one has the size after them, in eight. */
const HEADER_BYTES = 8
const TYPE_OFFSET = 4
const LARGE_HEADER_BYTES = 16
const HANDLER_BYTES = 12

/** A track header of version 1, which is the longer one. */
const TRACK_BYTES = 96

/** More than the boxes in the fragments of a film of twelve hours: a hostile file may hold millions of empty boxes. */
const BOXES_MAX = 500_000

/** Boxes that hold other boxes, among which personal data may be. */
const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'moof', 'traf'])

/** Boxes that hold user data, metadata (XMP in `uuid`), or anything at all. */
const PERSONAL = new Set(['udta', 'meta', 'uuid', 'free', 'skip'])

/** Bytes that are read together, once they are all there. */
type Part = { length: number; read: (bytes: Buffer) => void }

type Container = { type: string; start: number; contents: number; end: number; isMetadata: boolean }

/**
 * Follows the boxes of an MP4 (ISO/IEC 14496-12, 4.2). A whole file begins with `ftyp`, holds `moov` and media (`mdat`,
 * or `moof` when fragmented), and ends where its last box ends. Tracks of timed metadata, such as GPS positions, count as
 * personal. Memory does not grow with the file; a file of more than 500,000 boxes is refused.
 */
export function readMp4(): Mp4Reader {
  const seen = { boxes: 0, isTyped: false, hasMoov: false, hasMedia: false }
  const open: Container[] = []
  const found: Blank[] = []
  let size: FilmSize | undefined
  /** The bytes of the expected part that are there already. */
  let pending: Buffer = Buffer.alloc(0)
  /** The offset of the next byte. */
  let at = 0
  /** The number of bytes to skip. */
  let skip = 0
  let isBroken = false

  const closeEnded = (): void => {
    for (let last = open.at(-1); last && at >= last.end; last = open.at(-1)) {
      open.pop()
      if (last.type === 'trak' && last.isMetadata)
        found.push({ typeAt: last.start + TYPE_OFFSET, from: last.contents, to: last.end })
    }
  }

  const recordOutermost = (type: string): void => {
    seen.isTyped ||= seen.boxes === 1 && type === 'ftyp'
    seen.hasMoov ||= type === 'moov'
    seen.hasMedia ||= type === 'mdat' || type === 'moof'
  }

  /** Begins a box, whose header has just been read: its contents begin at `at`. */
  const begin = (type: string, start: number, end: number): void => {
    seen.boxes += 1
    if (open.length === 0) recordOutermost(type)
    const limit = open.at(-1)?.end ?? END_OF_FILE
    isBroken ||= seen.boxes > BOXES_MAX || !seen.isTyped || end < at || end > limit
    if (PERSONAL.has(type)) found.push({ typeAt: start + TYPE_OFFSET, from: at, to: end })
    if (CONTAINERS.has(type)) open.push({ type, start, contents: at, end, isMetadata: false })
    else if (type === 'tkhd' && end - at <= TRACK_BYTES && end > at) expected = trackHeader(end - at)
    else if (type === 'hdlr' && end - at >= HANDLER_BYTES) expected = handlerUntil(end)
    else skip = end - at
  }

  /** A `hdlr` says what its track holds: pictures, sound, text, or metadata that goes with time. */
  const handlerUntil = (end: number): Part => ({
    length: HANDLER_BYTES,
    read: (bytes) => {
      const track = open.findLast(({ type }) => type === 'trak')
      if (track && bytes.toString('latin1', 8, 12) === 'meta') track.isMetadata = true
      skip = end - at
    },
  })

  const trackHeader = (length: number): Part => ({
    length,
    read: (bytes) => {
      size ??= sizeOf(bytes)
    },
  })

  const header: Part = {
    length: HEADER_BYTES,
    read: (bytes) => {
      const start = at - HEADER_BYTES
      const boxSize = bytes.readUInt32BE(0)
      // A size of 1 stands for a large header, which begins with these bytes.
      if (boxSize === 1) {
        pending = bytes
        expected = largeHeader
      } else begin(typeOf(bytes), start, boxSize === 0 ? END_OF_FILE : start + boxSize)
    },
  }

  const largeHeader: Part = {
    length: LARGE_HEADER_BYTES,
    read: (bytes) => {
      const start = at - LARGE_HEADER_BYTES
      begin(typeOf(bytes), start, start + Number(bytes.readBigUInt64BE(8)))
    },
  }

  /** The part that is read next. */
  let expected = header

  const jump = (left: Buffer): Buffer => {
    const bytes = Math.min(skip, left.length)
    skip -= bytes
    at += bytes
    return left.subarray(bytes)
  }

  /** Gathers the bytes of the expected part, however they are split, and reads the part once it is whole. */
  const gather = (left: Buffer): Buffer => {
    if (pending.length === 0) closeEnded()
    const { length, read } = expected
    const taken = left.subarray(0, length - pending.length)
    at += taken.length
    const bytes = Buffer.concat([pending, taken])
    const isPart = bytes.length === length
    pending = isPart ? Buffer.alloc(0) : bytes
    if (isPart) {
      expected = header
      read(bytes)
    }
    return left.subarray(taken.length)
  }

  return {
    take: (chunk) => {
      let left: Buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
      while (left.length > 0 && !isBroken) left = skip > 0 ? jump(left) : gather(left)
    },
    isWhole: () => {
      closeEnded()
      const isEnded = skip === 0 || skip === END_OF_FILE
      const isClosed = open.every(({ end }) => end === END_OF_FILE)
      const isComplete = seen.isTyped && seen.hasMoov && seen.hasMedia
      return !isBroken && pending.length === 0 && isEnded && isClosed && isComplete
    },
    blanks: () => found,
    size: () => size,
  }
}

/**
 * Returns the size that a track header names (ISO/IEC 14496-12, 8.3.2). The header ends with a matrix of nine numbers, then
 * width and height as 16.16 fixed-point numbers. A matrix that turns by a quarter begins with 0. Returns undefined for
 * sound, whose size is 0.
 */
function sizeOf(header: Buffer): FilmSize | undefined {
  if (header.length < MATRIX_AND_SIZE_BYTES) return undefined
  const end = header.subarray(-MATRIX_AND_SIZE_BYTES)
  const [width, height] = [end.readUInt16BE(36), end.readUInt16BE(40)]
  if (width === 0 || height === 0) return undefined
  const isTurned = end.readInt32BE(0) === 0 && end.readInt32BE(4) !== 0
  return isTurned ? { width: height, height: width } : { width, height }
}

const MATRIX_AND_SIZE_BYTES = 44

const typeOf = (header: Buffer): string => header.toString('latin1', 4, 8)
