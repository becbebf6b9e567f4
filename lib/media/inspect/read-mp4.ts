import { type FilmSize, followTracks } from './film-tracks.ts'
import type { Range } from './sample-ranges.ts'

/** Bytes to blank: the contents of a box, with the offset of its type, or bytes that are no sample. */
export type Blank = Range & { typeAt?: number }

/** Reads a file piece by piece. At the end it reports whether the file was a whole MP4, and the bytes to blank. */
type Mp4Reader = {
  take: (chunk: Uint8Array) => void
  isWhole: () => boolean
  /** Whatever players need neither for pictures nor for sound: it may hold a place, a device or an owner. */
  blanks: () => Blank[]
  /** The size of the first track of pictures that has one; else undefined. */
  size: () => FilmSize | undefined
}

/** The end of a box whose size is given as 0: it ends with the file. */
const END_OF_FILE = Number.POSITIVE_INFINITY

/** A header of a box: its size in four bytes, and its type in four. A large one has the size after them, in eight. */
const HEADER_BYTES = 8
const TYPE_OFFSET = 4
const LARGE_HEADER_BYTES = 16

/** More than the boxes in the fragments of a film of twelve hours: a hostile file may hold millions of empty boxes. */
const BOXES_MAX = 500_000

/** More than the tables of a film of twelve hours. They are held in memory. */
const TABLES_MAX_BYTES = 64 * 1024 * 1024

/** The boxes that players need, by the box that holds them, or `file`. Those named on the left hold others. */
const NEEDED: Readonly<Record<string, ReadonlySet<string>>> = {
  file: new Set(['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'ssix', 'mfra']),
  moov: new Set(['mvhd', 'trak', 'mvex']),
  trak: new Set(['tkhd', 'tapt', 'edts', 'mdia']),
  mdia: new Set(['mdhd', 'hdlr', 'elng', 'minf']),
  minf: new Set(['vmhd', 'smhd', 'dinf', 'stbl']),
  stbl: new Set('stsd stts ctts cslg stss stps sdtp sbgp sgpd stsz stz2 stsc stco co64'.split(' ')),
  mvex: new Set(['mehd', 'trex']),
  moof: new Set(['mfhd', 'traf']),
  traf: new Set(['tfhd', 'tfdt', 'trun', 'sdtp', 'sbgp', 'sgpd']),
}

/** Bytes that are read together, once they are all there. */
type Part = { length: number; read: (bytes: Buffer) => void }

type Container = { type: string; start: number; contents: number; end: number }

/**
 * Follows the boxes of an MP4 (ISO/IEC 14496-12, 4.2). A whole file begins with `ftyp`, holds `moov` and media (`mdat`,
 * or `moof` when fragmented), and ends where its last box ends. Memory does not grow with pictures and sound. A file of
 * more than 500,000 boxes, 64 MiB of tables or two million chunks is refused.
 */
export function readMp4(): Mp4Reader {
  const seen = { boxes: 0, tableBytes: 0, isTyped: false, hasMoov: false, hasMedia: false }
  const open: Container[] = []
  const blankBoxes: Blank[] = []
  const media: Range[] = []
  const tracks = followTracks()
  /** The bytes of the expected part that are there already. */
  const pending = { pieces: [] as Buffer[], length: 0 }
  /** The offset of the next byte. */
  let at = 0
  /** The number of bytes to skip. */
  let skip = 0
  let isBroken = false

  const blank = ({ start, contents, end }: Omit<Container, 'type'>): void => {
    blankBoxes.push({ typeAt: start + TYPE_OFFSET, from: contents, to: end })
  }

  const closeEnded = (): void => {
    for (let last = open.at(-1); last && at >= last.end; last = open.at(-1)) {
      open.pop()
      if (!tracks.end(last.type)) blank(last)
      isBroken ||= tracks.isFull()
    }
  }

  const recordOutermost = (type: string, end: number): void => {
    seen.isTyped ||= seen.boxes === 1 && type === 'ftyp'
    seen.hasMoov ||= type === 'moov'
    seen.hasMedia ||= type === 'mdat' || type === 'moof'
    if (type === 'mdat') media.push({ from: at, to: end })
  }

  /** Begins a box, whose header has just been read: its contents begin at `at`. */
  const begin = (type: string, start: number, end: number): void => {
    seen.boxes += 1
    const holder = open.at(-1)
    if (!holder) recordOutermost(type, end)
    const limit = holder?.end ?? END_OF_FILE
    isBroken ||= seen.boxes > BOXES_MAX || !seen.isTyped || end < at || end > limit
    const isNeeded = NEEDED[holder?.type ?? 'file']?.has(type) ?? false
    const read = isNeeded ? tracks.read[type] : undefined
    if (!isNeeded) blank({ start, contents: at, end })
    if (isNeeded && Object.hasOwn(NEEDED, type)) {
      open.push({ type, start, contents: at, end })
      tracks.begin(type, start)
    } else if (read && end > at) hold(end - at, read)
    else skip = end - at
  }

  /** Has the contents of a box read, which are held in memory until then. */
  const hold = (length: number, read: Part['read']): void => {
    seen.tableBytes += length
    isBroken ||= seen.tableBytes > TABLES_MAX_BYTES
    expected = { length, read }
  }

  const header: Part = {
    length: HEADER_BYTES,
    read: (bytes) => {
      const start = at - HEADER_BYTES
      const boxSize = bytes.readUInt32BE(0)
      // A size of 1 stands for a large header, which begins with these bytes.
      if (boxSize === 1) {
        pending.pieces.push(bytes)
        pending.length = HEADER_BYTES
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
    pending.pieces.push(taken)
    pending.length += taken.length
    if (pending.length === length) {
      const bytes = Buffer.concat(pending.pieces.splice(0))
      pending.length = 0
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
    blanks: () => [...blankBoxes, ...tracks.gapsIn(media)],
    size: tracks.size,
  }
}

const typeOf = (header: Buffer): string => header.toString('latin1', 4, 8)
