import { box, ftyp, uint16, uint32 } from './bytes.ts'

const uint64 = (value: number): Buffer => Buffer.concat([uint32(Math.floor(value / 2 ** 32)), uint32(value)])

/** How a track states the sizes of its samples: one for all of them, or each in so many bits. */
type Sizes = 'one' | 4 | 8 | 16 | 32

export type FilmTrack = {
  handler: string
  /** The samples of each chunk. */
  chunks: string[][]
  sizes?: Sizes
  /** The width of the offsets of chunks. */
  offsets?: 32 | 64
}

type FilmOptions = {
  /** Bytes behind each chunk that are of no track. */
  between?: string
  /** Whether the tables come before the media. */
  isIndexFirst?: boolean
  /** Further boxes in the movie box, such as user data. */
  more?: Buffer[]
}

/** A film with its chunks one after the other, those of all tracks in turn. */
export function filmOf(
  tracks: FilmTrack[],
  { between = '', isIndexFirst = false, more = [] }: FilmOptions = {},
): Buffer {
  const media: Buffer[] = []
  const offsets = tracks.map((): number[] => [])
  let length = 0
  for (let chunk = 0; chunk < Math.max(...tracks.map(({ chunks }) => chunks.length)); chunk += 1) {
    for (const [index, { chunks }] of tracks.entries()) {
      const samples = chunks[chunk]
      if (!samples) continue
      const bytes = Buffer.from(samples.join('') + between)
      offsets[index]?.push(length)
      media.push(bytes)
      length += bytes.length
    }
  }
  const type = ftyp('isom', 'mp42')
  const index = (mediaAt: number) =>
    box(
      'moov',
      box('mvhd', Buffer.alloc(100)),
      ...tracks.map((track, place) =>
        trackBox(track, place + 1, offsets[place]?.map((offset) => mediaAt + offset) ?? []),
      ),
      ...more,
    )
  const HEADER_BYTES = 8
  const mdat = box('mdat', ...media)
  if (!isIndexFirst) return Buffer.concat([type, mdat, index(type.length + HEADER_BYTES)])
  const before = type.length + index(0).length
  return Buffer.concat([type, index(before + HEADER_BYTES), mdat])
}

/** The header of a track, 320 by 240 if it holds pictures. */
const trackHeader = (id: number, handler: string): Buffer => {
  const [width, height] = handler === 'vide' ? [320, 240] : [0, 0]
  const upright = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000]
  return box(
    'tkhd',
    Buffer.alloc(12),
    uint32(id),
    Buffer.alloc(24),
    ...upright.map(uint32),
    uint32(width << 16),
    uint32(height << 16),
  )
}

export const handlerBox = (handler: string): Buffer =>
  box('hdlr', uint32(0), uint32(0), Buffer.from(handler), Buffer.alloc(13))

function trackBox(
  { handler, chunks, sizes = 32, offsets: bits = 32 }: FilmTrack,
  id: number,
  offsets: number[],
): Buffer {
  // An entry for each chunk that has another number of samples than the one before.
  const runs = chunks.flatMap(({ length }, chunk) =>
    length === chunks[chunk - 1]?.length ? [] : [[chunk + 1, length, 1]],
  )
  const table = (...entries: Buffer[]) => [uint32(0), uint32(entries.length), ...entries]
  return box(
    'trak',
    trackHeader(id, handler),
    box(
      'mdia',
      box('mdhd', Buffer.alloc(24)),
      handlerBox(handler),
      box(
        'minf',
        box(
          'stbl',
          box('stsd', uint32(0), uint32(0)),
          box('stsc', ...table(...runs.map((run) => Buffer.concat(run.map(uint32))))),
          sizesBox(
            chunks.flat().map(({ length }) => length),
            sizes,
          ),
          bits === 64
            ? box('co64', ...table(...offsets.map(uint64)))
            : box('stco', ...table(...offsets.map(uint32))),
        ),
      ),
    ),
  )
}

function sizesBox(sizes: number[], stated: Sizes): Buffer {
  const count = uint32(sizes.length)
  if (stated === 'one') return box('stsz', uint32(0), uint32(sizes[0] ?? 0), count)
  if (stated === 32) return box('stsz', uint32(0), uint32(0), count, ...sizes.map(uint32))
  const pairs = sizes.flatMap((size, index) => (index % 2 === 0 ? [size * 16 + (sizes[index + 1] ?? 0)] : []))
  const entries = {
    4: () => pairs.map((pair) => Buffer.from([pair])),
    8: () => sizes.map((size) => Buffer.from([size])),
    16: () => sizes.map(uint16),
  }
  return box('stz2', uint32(0), uint32(stated), count, ...entries[stated]())
}

/** One track's part of a fragment. */
export type FragmentPart = {
  /** The place of the track, from 1. */
  track: number
  /** The samples of each run. */
  runs: string[][]
  /** What the part counts from: the fragment, the beginning of the file, or the end of the part before. */
  base: 'fragment' | 'file' | 'previous'
  /** Where sizes are stated: with each sample, once for the part, or once for the track, which then is `TRACK_SAMPLE_BYTES`. */
  sizes: 'sample' | 'part' | 'track'
}

export const TRACK_SAMPLE_BYTES = 20

/** A film in fragments, each of which begins with what its parts are. */
export function fragmentedFilmOf(handlers: string[], fragments: FragmentPart[][], between = ''): Buffer {
  const extended = handlers.map((_, place) =>
    box('trex', uint32(0), uint32(place + 1), uint32(1), uint32(0), uint32(TRACK_SAMPLE_BYTES), uint32(0)),
  )
  const tracks = handlers.map((handler, place) => trackBox({ handler, chunks: [] }, place + 1, []))
  const begin = Buffer.concat([
    ftyp('iso5'),
    box('moov', box('mvhd', Buffer.alloc(100)), ...tracks, box('mvex', ...extended)),
  ])
  return fragments.reduce(
    (film, parts) => Buffer.concat([film, fragmentOf(film.length, parts, between)]),
    begin,
  )
}

function fragmentOf(start: number, parts: FragmentPart[], between: string): Buffer {
  const media = parts.map(({ runs }) => Buffer.from(runs.flat().join('')))
  const moof = (mediaAt: number) => {
    let position = mediaAt
    return box(
      'moof',
      box('mfhd', uint32(0), uint32(1)),
      ...parts.map((part, place) => {
        const own = partBox(part, place, position, start)
        position += media[place]?.length ?? 0
        return own
      }),
    )
  }
  const mediaAt = start + moof(0).length + 8
  return Buffer.concat([moof(mediaAt), box('mdat', ...media, Buffer.from(between))])
}

function partBox(
  { track, runs, base, sizes }: FragmentPart,
  place: number,
  position: number,
  start: number,
): Buffer {
  const size = runs[0]?.[0]?.length ?? 0
  const headerFlags = { fragment: 0x2_0000, file: 0x1, previous: 0 }[base] + (sizes === 'part' ? 0x10 : 0)
  const counted = { fragment: start, file: 0, previous: start }[base]
  // The parts of a fragment that follow each other, and the runs of a part, need no offset but the first.
  const hasOffset = (run: number) => run === 0 && (base !== 'previous' || place === 0)
  return box(
    'traf',
    box(
      'tfhd',
      uint32(headerFlags),
      uint32(track),
      ...(base === 'file' ? [uint64(0)] : []),
      ...(sizes === 'part' ? [uint32(size)] : []),
    ),
    ...runs.map((samples, run) =>
      box(
        'trun',
        uint32((hasOffset(run) ? 0x1 : 0) + (sizes === 'sample' ? 0x300 : 0)),
        uint32(samples.length),
        ...(hasOffset(run) ? [uint32(position - counted)] : []),
        // A duration and a size for each.
        ...(sizes === 'sample'
          ? samples.map(({ length }) => Buffer.concat([uint32(40), uint32(length)]))
          : []),
      ),
    ),
  )
}
