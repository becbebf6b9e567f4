import type { Blank } from '#lib/media/inspect/read-mp4'

const FREE = Buffer.from('free')

/**
 * Yields a film with some of its bytes blanked: they become zeros, and the type of a box becomes `free`, which players
 * skip. No byte moves, so that every offset in the film stays right.
 */
export async function* blankFilm(
  film: AsyncIterable<Uint8Array>,
  blanks: readonly Blank[],
): AsyncGenerator<Buffer> {
  const outermost = outermostOf(blanks)
  /** The first of these that has not ended. */
  let first = 0
  /** The offset of the chunk in the film. Those of the blanks count from the beginning of the film, too. */
  let at = 0
  for await (const chunk of film) {
    const bytes = Buffer.from(chunk)
    while (first < outermost.length && (outermost[first]?.to ?? 0) <= at) first += 1
    for (const { typeAt, from, to } of startedIn(outermost, first, at + bytes.length)) {
      bytes.fill(0, within(from - at, bytes), within(to - at, bytes))
      if (typeAt !== undefined) writeFree(bytes, typeAt - at)
    }
    at += bytes.length
    yield bytes
  }
}

/** Writes the type `free` where a chunk holds the bytes of a type, all or some of them. */
function writeFree(bytes: Buffer, typeAt: number): void {
  for (const [index, letter] of FREE.entries()) {
    const place = typeAt + index
    if (place >= 0 && place < bytes.length) bytes.writeUInt8(letter, place)
  }
}

const startOf = ({ typeAt, from }: Blank): number => typeAt ?? from

/** Returns the blanks that are in no other one, in order: the type of a box within another must become zeros, too. */
function outermostOf(blanks: readonly Blank[]): Blank[] {
  const outermost: Blank[] = []
  for (const blank of blanks.toSorted((one, other) => startOf(one) - startOf(other))) {
    if (startOf(blank) >= (outermost.at(-1)?.to ?? 0)) outermost.push(blank)
  }
  return outermost
}

/** Yields the blanks from one on that begin before an offset. */
function* startedIn(blanks: readonly Blank[], first: number, end: number): Generator<Blank> {
  for (let index = first; index < blanks.length; index += 1) {
    const blank = blanks[index]
    if (blank === undefined || startOf(blank) >= end) return
    yield blank
  }
}

const within = (offset: number, { length }: Buffer): number => Math.min(Math.max(offset, 0), length)
