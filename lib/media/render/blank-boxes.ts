import type { Blank } from '#lib/media/inspect/read-mp4'

const FREE = Buffer.from('free')

/**
 * Yields a film with some of its boxes blanked: their type becomes `free`, which players skip, and their contents zeros. No byte
 * moves, so that every offset in the film stays right.
 */
export async function* blankBoxes(
  film: AsyncIterable<Uint8Array>,
  blanks: readonly Blank[],
): AsyncGenerator<Buffer> {
  // A box within another one is among that box's zeros: its type must stay zero, too.
  const outermost = blanks.filter((one) => !blanks.some((other) => isWithin(one, other)))
  /** The offset of the chunk in the film. `typeAt`, `from` and `to` are such offsets, too. */
  let at = 0
  for await (const chunk of film) {
    const bytes = Buffer.from(chunk)
    for (const { typeAt, from, to } of outermost) {
      bytes.fill(0, within(from - at, bytes), within(to - at, bytes))
      for (const [index, letter] of FREE.entries()) {
        const place = typeAt + index - at
        if (place >= 0 && place < bytes.length) bytes.writeUInt8(letter, place)
      }
    }
    at += bytes.length
    yield bytes
  }
}

const isWithin = (one: Blank, other: Blank): boolean =>
  one !== other && one.typeAt >= other.from && one.to <= other.to

const within = (offset: number, { length }: Buffer): number => Math.min(Math.max(offset, 0), length)
