import { readFragmentHeader, readRun } from './fragments.ts'
import { collectRanges, type Range } from './sample-ranges.ts'
import { chunkRanges, type SampleTables } from './sample-tables.ts'

/** The size of a film in pixels, turned upright. */
export type FilmSize = { width: number; height: number }

/** Follows the tracks of a film, and collects where the samples of its pictures and its sound are. */
type FilmTracks = {
  /** Begins a box that holds others, at an offset. */
  begin: (type: string, start: number) => void
  /** Reads the contents of a box in the one that was begun last. */
  read: Readonly<Record<string, (contents: Buffer) => void>>
  /** Ends a box that holds others. Returns false for a track, or its part of a fragment, of neither pictures nor sound. */
  end: (type: string) => boolean
  /** Whether there were more chunks of samples than any film has. */
  isFull: () => boolean
  /** Returns the parts of these ranges, in order and apart from each other, that hold no sample that is shown. */
  gapsIn: (ranges: readonly Range[]) => Range[]
  /** The size of the first track of pictures that has one; else undefined. */
  size: () => FilmSize | undefined
}

/** The handlers of the tracks that are shown. Any other may hold positions, such as `meta`, `text`, `sbtl` or `camm`. */
const SHOWN = new Set(['vide', 'soun'])

type Track = { id?: number; size?: FilmSize; handler?: string; tables: SampleTables }

/** A track's part of a fragment: where its samples are counted from, and the size of those without one of their own. */
type Part = { trackId: number; base: number; sampleBytes: number }

/** Returns a follower for the tracks of one film. */
export function followTracks(): FilmTracks {
  const samples = collectRanges()
  const shownIds = new Set<number>()
  const sampleBytesById = new Map<number, number>()
  let size: FilmSize | undefined
  let track: Track = { tables: {} }
  let fragmentStart = 0
  let part: Part | undefined
  /** Where the last run of the fragment ends. */
  let runEnd = 0

  const isPartShown = (): boolean => part !== undefined && shownIds.has(part.trackId)

  const endTrack = ({ id, size: own, handler = '', tables }: Track): boolean => {
    if (!SHOWN.has(handler)) return false
    if (id !== undefined) shownIds.add(id)
    size ??= own
    for (const chunk of chunkRanges(tables)) samples.add(chunk)
    return true
  }

  const keep = (type: keyof SampleTables) => (contents: Buffer) => {
    track.tables[type] = contents
  }

  return {
    begin: (type, start) => {
      if (type === 'trak') track = { tables: {} }
      if (type === 'moof') [fragmentStart, runEnd] = [start, start]
      if (type === 'traf') part = undefined
    },
    read: {
      tkhd: (contents) => Object.assign(track, readTrackHeader(contents)),
      hdlr: (contents) => {
        // Before the handler are the version, the flags and four bytes that are not used.
        track.handler ??= contents.toString('latin1', 8, 12)
      },
      stsz: keep('stsz'),
      stz2: keep('stz2'),
      stsc: keep('stsc'),
      stco: keep('stco'),
      co64: keep('co64'),
      trex: (contents) => {
        if (contents.length >= 20) sampleBytesById.set(contents.readUInt32BE(4), contents.readUInt32BE(16))
      },
      tfhd: (contents) => {
        const header = readFragmentHeader(contents)
        if (!header) return
        const { trackId, sampleBytes = sampleBytesById.get(trackId) ?? 0 } = header
        // A part that states no base follows the one before it; the first begins at the fragment.
        const base = header.base ?? (header.isFromFragment ? fragmentStart : runEnd)
        part = { trackId, base, sampleBytes }
        runEnd = base
      },
      trun: (contents) => {
        if (!part) return
        const { offset, bytes } = readRun(contents, part.sampleBytes)
        const from = offset === undefined ? runEnd : part.base + offset
        runEnd = from + bytes
        if (isPartShown()) samples.add({ from, to: runEnd })
      },
    },
    end: (type) => {
      if (type === 'trak') return endTrack(track)
      return type !== 'traf' || isPartShown()
    },
    isFull: samples.isFull,
    gapsIn: samples.gapsIn,
    size: () => size,
  }
}

/**
 * Reads the id of a track and the size that it names (ISO/IEC 14496-12, 8.3.2). The header ends with a matrix of nine
 * numbers, then width and height as 16.16 fixed-point numbers. A matrix that turns by a quarter begins with 0. Sound has no
 * size: its numbers are 0.
 */
function readTrackHeader(header: Buffer): { id?: number; size?: FilmSize } {
  // Two times come before the id: of four bytes each in version 0, of eight in version 1.
  const idAt = header.readUInt8(0) === 1 ? 20 : 12
  if (header.length < idAt + 4 + MATRIX_AND_SIZE_BYTES) return {}
  const id = header.readUInt32BE(idAt)
  const end = header.subarray(-MATRIX_AND_SIZE_BYTES)
  const [width, height] = [end.readUInt16BE(36), end.readUInt16BE(40)]
  if (width === 0 || height === 0) return { id }
  const isTurned = end.readInt32BE(0) === 0 && end.readInt32BE(4) !== 0
  return { id, size: isTurned ? { width: height, height: width } : { width, height } }
}

const MATRIX_AND_SIZE_BYTES = 44
