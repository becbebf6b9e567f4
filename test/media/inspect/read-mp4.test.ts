import { describe, expect, it } from 'vitest'
import { readMp4 } from '#lib/media/inspect/read-mp4'
import { blankFilm } from '#lib/media/render/blank-film'
import { box, ftyp, uint32 } from '#test/support/bytes'
import {
  type FilmTrack,
  type FragmentPart,
  filmOf,
  fragmentedFilmOf,
  handlerBox,
  TRACK_SAMPLE_BYTES,
} from '#test/support/films'

const isWhole = (bytes: Buffer, chunk = bytes.length): boolean => {
  const check = readMp4()
  for (let at = 0; at < bytes.length; at += chunk) check.take(bytes.subarray(at, at + chunk))
  return check.isWhole()
}
const film = (...more: Buffer[]) =>
  Buffer.concat([
    ftyp('isom'),
    box('moov', box('mvhd', Buffer.alloc(9))),
    box('mdat', Buffer.alloc(50)),
    ...more,
  ])

describe('an MP4', () => {
  it.each([1, 3, 7, 1000])('is whole when it is read in pieces of %i bytes', (chunk) => {
    expect(isWhole(film(), chunk)).toBe(true)
  })

  it.each([
    ['it is cut short', film().subarray(0, -1)],
    ['bytes follow its last box', film(Buffer.from([0]))],
    ['its first box is another', Buffer.concat([box('free'), film()])],
    ['it has no moov', Buffer.concat([ftyp('isom'), box('mdat', Buffer.alloc(9))])],
    ['it has no media', Buffer.concat([ftyp('isom'), box('moov')])],
    ['a box is shorter than its header', film(Buffer.from('0000000466726565', 'hex'))],
  ])('is not whole when %s', (_, bytes) => {
    expect(isWhole(bytes)).toBe(false)
  })

  // Attack: 500 MiB of empty boxes once took 35 seconds and 2 GB, since the type of each was kept.
  it('millions of empty boxes are refused without being read', () => {
    const empty = box('free')
    const boxes = Buffer.concat(Array.from({ length: 1_000_000 }, () => empty))
    const startedAt = performance.now()
    expect(isWhole(film(...Array.from({ length: 20 }, () => boxes)))).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})

describe('the size of a film', () => {
  const matrix = (...numbers: number[]) => Buffer.concat(numbers.map((number) => uint32(number >>> 0)))
  const UPRIGHT = matrix(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  const TURNED = matrix(0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x40000000)
  const track = (handler: string, header: Buffer) => box('trak', header, box('mdia', handlerBox(handler)))
  const header = (version: 0 | 1, turn: Buffer, width: number, height: number) =>
    box(
      'tkhd',
      Buffer.from([version, 0, 0, 0]),
      Buffer.alloc(version === 0 ? 36 : 48),
      turn,
      uint32(width << 16),
      uint32(height << 16),
    )
  const sizeOf = (chunk: number, ...tracks: Buffer[]) => {
    const bytes = Buffer.concat([ftyp('isom'), box('moov', ...tracks), box('mdat', Buffer.alloc(50))])
    const reader = readMp4()
    for (let at = 0; at < bytes.length; at += chunk) reader.take(bytes.subarray(at, at + chunk))
    expect(reader.isWhole()).toBe(true)
    return reader.size()
  }

  it.each([1, 7, 10_000])(
    'is that of its first track with pictures, upright, in pieces of %i bytes',
    (chunk) => {
      const sound = track('soun', header(0, UPRIGHT, 0, 0))
      const subtitles = track('sbtl', header(0, UPRIGHT, 640, 80))
      const pictures = (given: Buffer) => track('vide', given)
      const upright = pictures(header(0, UPRIGHT, 1920, 1080))
      const turned = pictures(header(1, TURNED, 1920, 1080))
      expect(sizeOf(chunk, subtitles, sound, upright)).toEqual({ width: 1920, height: 1080 })
      expect(sizeOf(chunk, turned, sound)).toEqual({ width: 1080, height: 1920 })
      expect(sizeOf(chunk, sound)).toBeUndefined()
      for (const broken of [box('tkhd', Buffer.alloc(20)), box('tkhd'), box('tkhd', Buffer.alloc(500))])
        expect(sizeOf(chunk, pictures(broken))).toBeUndefined()
    },
  )
})

/** The film that customers see, read so many bytes at a time. */
async function shown(film: Buffer, chunk = film.length): Promise<Buffer> {
  const reader = readMp4()
  const pieces = Array.from({ length: Math.ceil(film.length / chunk) }, (_, place) =>
    film.subarray(place * chunk, (place + 1) * chunk),
  )
  for (const piece of pieces) reader.take(piece)
  expect(reader.isWhole()).toBe(true)
  const stream = async function* () {
    yield* pieces
  }
  const parts: Buffer[] = []
  for await (const part of blankFilm(stream(), reader.blanks())) parts.push(part)
  const bytes = Buffer.concat(parts)
  expect(bytes.length).toBe(film.length)
  expect(isWhole(bytes)).toBe(true)
  return bytes
}

/** Twenty bytes each, as many as there are letters. */
const pictures = (letters: string): string[] => [...letters].map((letter) => `picture ${letter.repeat(12)}`)
const sounds = (letters: string): string[] => [...letters].map((letter) => `sound ${letter.repeat(14)}`)
const POSITION = '+5.3261-004.0197/'.padEnd(20, '_')

/** Expects that these samples are where they were, and that the position is in no byte. */
function expectShown(film: Buffer, original: Buffer, samples: readonly string[]): void {
  expect(original.includes('5.3261')).toBe(true)
  expect(film.includes('5.3261')).toBe(false)
  for (const sample of samples) expect(film.indexOf(sample), sample).toBe(original.indexOf(sample))
}

describe('a film that holds positions beside its pictures and sound', () => {
  const PICTURES: FilmTrack = {
    handler: 'vide',
    chunks: [pictures('abc'), pictures('de'), pictures('fg'), pictures('h')],
  }
  const SOUND: FilmTrack = { handler: 'soun', chunks: [sounds('ab'), sounds('cd'), sounds('ef')] }
  const SAMPLES = [PICTURES, SOUND].flatMap(({ chunks }) => chunks.flat())
  const positions = (handler: string): FilmTrack => ({ handler, chunks: [[POSITION, POSITION], [POSITION]] })

  it.each(['meta', 'text', 'sbtl', 'subt', 'camm', 'tmcd', 'hint', 'priv'])(
    'has no sample of a track %s, and every sample of its pictures and sound',
    async (handler) => {
      const film = filmOf([PICTURES, positions(handler), SOUND])
      const clean = await shown(film)
      expectShown(clean, film, SAMPLES)
      expect(clean.toString('latin1').split('trak')).toHaveLength(3)
    },
  )

  it.each([1, 5, 64, 10_000])(
    'has no byte that is of no sample, read %i bytes at a time, tables first or last',
    async (chunk) => {
      for (const isIndexFirst of [true, false]) {
        const film = filmOf([PICTURES, SOUND], { between: POSITION, isIndexFirst })
        expectShown(await shown(film, chunk), film, SAMPLES)
      }
    },
  )

  it('has none in a track without a handler', async () => {
    const film = Buffer.concat([
      filmOf([PICTURES], { more: [box('trak', box('tkhd', Buffer.from(POSITION)))] }),
    ])
    expectShown(await shown(film), film, PICTURES.chunks.flat())
  })

  it.each([
    ['of one size', 'one', 32],
    ['of four bits', 4, 32],
    ['of eight bits', 8, 64],
    ['of sixteen bits', 16, 64],
    ['of thirty-two bits', 32, 64],
  ] as const)('keeps samples %s', async (_, sizes, offsets) => {
    const texts =
      sizes === 4
        ? ['picture A.', 'picture B...', 'picture C', 'picture D..', 'picture E.']
        : pictures('abcde')
    const track = { handler: 'vide', chunks: [texts.slice(0, 3), texts.slice(3)], sizes, offsets }
    const film = filmOf([track, positions('meta')], { between: POSITION })
    expectShown(await shown(film), film, texts)
  })

  it.each(['gps ', 'GPSI', 'meta', 'udta', 'uuid', 'free', 'skip', 'wide', 'emsg'])(
    'has no box %s, wherever players need none',
    async (type) => {
      const place = box(type, Buffer.from(POSITION))
      const film = Buffer.concat([filmOf([PICTURES, SOUND], { more: [place] }), place])
      const clean = await shown(film, 7)
      expectShown(clean, film, SAMPLES)
      expect(clean.includes(type === 'free' ? POSITION : type)).toBe(false)
    },
  )

  it('has none of what a table that is cut short leaves out', async () => {
    const film = filmOf([PICTURES, positions('meta')])
    const cut = Buffer.from(film)
    // The table says more samples than it holds, and one chunk reaches beyond the end of the film.
    const sizesAt = cut.indexOf('stsz')
    cut.writeUInt32BE(0xffff_ffff, sizesAt + 12)
    cut.writeUInt32BE(0xffff_ff00, cut.indexOf('stco') + 12)
    const clean = await shown(cut)
    expect(clean.includes('5.3261')).toBe(false)
    expect(clean.indexOf('picture h')).toBe(film.indexOf('picture h'))
  })
})

describe('a film in fragments that holds positions', () => {
  const HANDLERS = ['vide', 'meta', 'soun']
  const BASES = ['fragment', 'file', 'previous'] as const
  const SIZES = ['sample', 'part', 'track'] as const
  const WAYS = BASES.flatMap((base) => SIZES.map((sizes) => ({ base, sizes })))

  it.each(WAYS)(
    'has none, and every sample of its pictures and sound, counted from the $base with the sizes of each $sizes',
    async (way) => {
      const part = (track: number, ...runs: string[][]): FragmentPart => ({ track, runs, ...way })
      const fragments = [
        [part(1, pictures('ab'), pictures('c')), part(2, [POSITION, POSITION]), part(3, sounds('ab'))],
        [part(2, [POSITION]), part(1, pictures('d')), part(3, sounds('c'), sounds('d'))],
      ]
      const film = fragmentedFilmOf(HANDLERS, fragments, POSITION)
      for (const sample of [...pictures('a'), ...sounds('a'), POSITION])
        expect(sample).toHaveLength(TRACK_SAMPLE_BYTES)
      for (const chunk of [1, 64, 10_000]) {
        const clean = await shown(film, chunk)
        expectShown(clean, film, [...pictures('abcd'), ...sounds('abcd')])
        expect(clean.toString('latin1').split('traf')).toHaveLength(5)
      }
    },
  )

  it('has none in boxes of its fragments', async () => {
    const place = box('udta', box('\xa9xyz', Buffer.from(POSITION)))
    const film = Buffer.concat([
      filmOf([{ handler: 'vide', chunks: [pictures('a')] }]),
      box(
        'moof',
        box('mfhd', uint32(0), uint32(1)),
        box('traf', box('tfhd', uint32(0), uint32(1)), place),
        place,
      ),
    ])
    const clean = await shown(film, 64)
    expectShown(clean, film, pictures('a'))
    for (const kept of ['mfhd', 'tfhd']) expect(clean.lastIndexOf(kept)).toBe(film.lastIndexOf(kept))
  })
})

describe('a hostile film', () => {
  const inTime = async (film: Buffer, run: (film: Buffer) => unknown) => {
    const startedAt = performance.now()
    await run(film)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  }

  // Attack: comparing each of 100,000 boxes with every other took 50 seconds.
  it('is shown in time, however many boxes are blanked', async () => {
    const boxes = Array.from({ length: 100_000 }, () => box('free'))
    const film = Buffer.concat([...boxes, box('mdat', Buffer.alloc(10_000_000))])
    await inTime(Buffer.concat([filmOf([]), film]), (bytes) => shown(bytes, 65_536))
  })

  it('is shown in time, however many samples its tables say', async () => {
    const film = filmOf([{ handler: 'vide', chunks: [['a'], ['b', 'c'], ['d']], sizes: 'one' }])
    film.writeUInt32BE(0xffff_ffff, film.indexOf('stsz') + 12)
    film.writeUInt32BE(0xffff_ffff, film.indexOf('stsc') + 16)
    await inTime(film, shown)
  })

  it('is refused if its tables need more memory than those of any film', async () => {
    const tables = box('stbl', box('stco', Buffer.alloc(65 * 1024 * 1024)))
    const track = box('trak', box('mdia', handlerBox('vide'), box('minf', tables)))
    await inTime(Buffer.concat([ftyp('isom'), box('moov', track), box('mdat')]), (bytes) =>
      expect(isWhole(bytes, 65_536)).toBe(false),
    )
  })

  it('is refused if it has more chunks than any film', async () => {
    const count = 2_000_001
    const stsz = box('stsz', uint32(0), uint32(1), uint32(count))
    const stsc = box('stsc', uint32(0), uint32(1), uint32(1), uint32(1), uint32(1))
    const stco = box('stco', uint32(0), uint32(count), Buffer.alloc(4 * count))
    const track = box('trak', box('mdia', handlerBox('vide'), box('minf', box('stbl', stsz, stsc, stco))))
    await inTime(Buffer.concat([ftyp('isom'), box('moov', track), box('mdat')]), (bytes) =>
      expect(isWhole(bytes, 65_536)).toBe(false),
    )
  })
})
