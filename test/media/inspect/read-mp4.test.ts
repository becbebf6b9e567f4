import { describe, expect, it } from 'vitest'
import { readMp4 } from '#lib/media/inspect/read-mp4'
import { blankBoxes } from '#lib/media/render/blank-film'
import { box, ftyp, uint32 } from '#test/support/bytes'

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
  const track = (version: 0 | 1, turn: Buffer, width: number, height: number) =>
    box(
      'trak',
      box(
        'tkhd',
        Buffer.from([version, 0, 0, 0]),
        Buffer.alloc(version === 0 ? 36 : 48),
        turn,
        uint32(width << 16),
        uint32(height << 16),
      ),
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
      const sound = track(0, UPRIGHT, 0, 0)
      expect(sizeOf(chunk, sound, track(0, UPRIGHT, 1920, 1080))).toEqual({ width: 1920, height: 1080 })
      expect(sizeOf(chunk, track(1, TURNED, 1920, 1080), sound)).toEqual({ width: 1080, height: 1920 })
      expect(sizeOf(chunk, sound)).toBeUndefined()
      expect(sizeOf(chunk, box('trak', box('tkhd', Buffer.alloc(20))))).toBeUndefined()
      expect(sizeOf(chunk, box('trak', box('tkhd')))).toBeUndefined()
      expect(sizeOf(chunk, box('trak', box('tkhd', Buffer.alloc(500))))).toBeUndefined()
    },
  )
})

describe('a film with its personal boxes blanked', () => {
  const handler = (type: string) => box('hdlr', uint32(0), uint32(0), Buffer.from(type), Buffer.alloc(12))
  const track = (type: string, ...more: Buffer[]) =>
    box(
      'trak',
      box('tkhd', Buffer.alloc(20)),
      box('mdia', handler(type), box('minf', Buffer.from('samples'))),
      ...more,
    )
  const xyz = box('udta', box('\xa9xyz', Buffer.from('+5.3261-004.0197/')))
  const located = Buffer.concat([
    ftyp('isom'),
    box('uuid', Buffer.from('<x:xmpmeta>owner</x:xmpmeta>')),
    box(
      'moov',
      box('mvhd', Buffer.alloc(100)),
      track('vide', xyz),
      track('meta'),
      box('meta', Buffer.from('com.apple.quicktime.model')),
      xyz,
    ),
    box('free', Buffer.from('a hidden note')),
    box('mdat', Buffer.from('pictures and sound')),
  ])
  const cleaned = async (film: Buffer, chunk: number) => {
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
    for await (const part of blankBoxes(stream(), reader.blanks())) parts.push(part)
    return Buffer.concat(parts)
  }

  it.each([1, 5, 64, 10_000])(
    'says nothing of place, device and owner, read %i bytes at a time',
    async (chunk) => {
      const film = await cleaned(located, chunk)
      expect(film.length).toBe(located.length)
      for (const said of ['xyz', '5.3261', 'owner', 'quicktime', 'hidden', 'udta', 'uuid']) {
        expect(film.includes(said), said).toBe(false)
      }
      expect(isWhole(film)).toBe(true)
    },
  )

  it.each([1, 64, 10_000])(
    'says nothing of them in its fragments either, read %i bytes at a time',
    async (chunk) => {
      const fragment = (...more: Buffer[]) => [
        box('moof', box('mfhd', uint32(0)), box('traf', box('tfhd', uint32(0)), ...more), ...more),
        box('mdat', Buffer.from('pictures and sound')),
      ]
      const located = Buffer.concat([
        ftyp('isom'),
        box('moov', box('mvhd', Buffer.alloc(100)), track('vide')),
        ...fragment(xyz),
        ...fragment(box('meta', Buffer.from('owner'))),
      ])
      const film = await cleaned(located, chunk)
      for (const said of ['xyz', '5.3261', 'owner']) expect(film.includes(said), said).toBe(false)
      for (const kept of ['mfhd', 'tfhd', 'pictures and sound']) {
        expect(film.lastIndexOf(kept), kept).toBe(located.lastIndexOf(kept))
      }
      expect(isWhole(film)).toBe(true)
    },
  )

  // Attack: comparing each of 100,000 boxes with every other took 50 seconds.
  it('is made in time, however many boxes are blanked', async () => {
    const boxes = Array.from({ length: 100_000 }, () => box('free'))
    const startedAt = performance.now()
    await cleaned(Buffer.concat([located, ...boxes, box('mdat', Buffer.alloc(10_000_000))]), 65_536)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })

  it('keeps every byte of its pictures and sound where it was, and no track of metadata', async () => {
    const film = await cleaned(located, 7)
    for (const kept of ['pictures and sound', 'vide', 'mvhd']) {
      expect(film.indexOf(kept), kept).toBe(located.indexOf(kept))
    }
    expect(film.toString('latin1').split('trak')).toHaveLength(2)
    expect(film.includes('meta')).toBe(false)
  })
})
