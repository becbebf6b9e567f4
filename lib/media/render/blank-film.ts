import type { Blank } from '#lib/media/inspect/read-mp4'

const FREE = Buffer.from('free')

/**
 * Yields a film with some of its boxes blanked: their type becomes `free`, which players skip, and their contents zeros.
 * No byte moves, so that every offset in the film stays right.
 */
export async function* blankBoxes(
  film: AsyncIterable<Uint8Array>,
  blanks: readonly Blank[],
): AsyncGenerator<Buffer> {
  const outermost = outermostOf(blanks)
  /** The first of these boxes that has not ended. */
  let first = 0
  /** The offset of the chunk in the film. `typeAt`, `from` and `to` are such offsets, too. */
  let at = 0
  for await (const chunk of film) {
    const bytes = Buffer.from(chunk)
    while (first < outermost.length && (outermost[first]?.to ?? 0) <= at) first += 1
    for (const { typeAt, from, to } of startedIn(outermost, first, at + bytes.length)) {
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

/** Returns the boxes that are in no other one, in order: the type of a box within another must become zeros, too. */
function outermostOf(blanks: readonly Blank[]): Blank[] {
  const outermost: Blank[] = []
  for (const blank of blanks.toSorted((one, other) => one.typeAt - other.typeAt)) {
    if (blank.typeAt >= (outermost.at(-1)?.to ?? 0)) outermost.push(blank)
  }
  return outermost
}

/** Yields the boxes from one on that begin before an offset. */
function* startedIn(blanks: readonly Blank[], first: number, end: number): Generator<Blank> {
  for (let index = first; index < blanks.length; index += 1) {
    const blank = blanks[index]
    if (blank === undefined || blank.typeAt >= end) return
    yield blank
  }
}

const within = (offset: number, { length }: Buffer): number => Math.min(Math.max(offset, 0), length)
