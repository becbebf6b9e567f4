import { describe, expect, it } from 'vitest'
import { checkMp4 } from '#lib/media/inspect/check-mp4'
import { box, ftyp } from '#test/support/bytes'

const isWhole = (bytes: Buffer, chunk = bytes.length): boolean => {
  const check = checkMp4()
  for (let at = 0; at < bytes.length; at += chunk) check.take(bytes.subarray(at, at + chunk))
  return check.isWhole()
}
const film = (...more: Buffer[]) =>
  Buffer.concat([ftyp('isom'), box('moov', Buffer.alloc(9)), box('mdat', Buffer.alloc(50)), ...more])

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
  it('of millions of empty boxes is refused without reading them', () => {
    const empty = box('free')
    const boxes = Buffer.concat(Array.from({ length: 1_000_000 }, () => empty))
    const startedAt = performance.now()
    expect(isWhole(film(...Array.from({ length: 20 }, () => boxes)))).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })
})
