/** A piece of a text, and whether the other text lacks it. */
export type Piece = { text: string; isOwn: boolean }

/** Beyond so many pairs of words a comparison takes longer than a reader waits: the texts count as wholly different. */
const PAIRS_AT_MOST = 4_000_000

/** Divides two texts into pieces, and marks the words that only one of them has. */
export function wordDifferences(before: string, after: string): { before: Piece[]; after: Piece[] } {
  const [old, young] = [wordsOf(before), wordsOf(after)]
  // The words that both texts begin with (`start` of them) and end with (`end`) are not compared further.
  const start = sharedCount(old, young)
  const end = sharedCount(old.slice(start).reverse(), young.slice(start).reverse())
  const shared = longestShared(old.slice(start, old.length - end), young.slice(start, young.length - end))
  const pieces = (all: readonly string[], isShared: (index: number) => boolean) => {
    const isCompared = (index: number) => index >= start && index < all.length - end
    return joined(all.map((text, index) => ({ text, isOwn: isCompared(index) && !isShared(index - start) })))
  }
  return {
    before: pieces(old, (index) => shared.before.has(index)),
    after: pieces(young, (index) => shared.after.has(index)),
  }
}

/** Words, and what stands between them. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? []

function sharedCount(one: readonly string[], other: readonly string[]): number {
  const different = one.findIndex((word, index) => word !== other[index])
  return different === -1 ? one.length : different
}

/** Returns the indexes of the words of a longest common subsequence of both texts. */
function longestShared(
  old: readonly string[],
  young: readonly string[],
): { before: Set<number>; after: Set<number> } {
  const shared = { before: new Set<number>(), after: new Set<number>() }
  if (old.length * young.length > PAIRS_AT_MOST) return shared
  const width = young.length + 1
  // At `i * width + j`: the length of the longest sequence that both texts share, the old from word i and the young from j.
  const lengths = new Uint32Array((old.length + 1) * width)
  const lengthAt = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = young.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === young[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
  for (let i = 0, j = 0; i < old.length && j < young.length; ) {
    if (old[i] === young[j]) {
      shared.before.add(i++)
      shared.after.add(j++)
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) i++
    else j++
  }
  return shared
}

/** Joins neighbours of one kind to one piece. A blank between two words that differ counts as different. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const [index, { text, isOwn }] of pieces.entries()) {
    const isBetween =
      !/\S/.test(text) && pieces[index - 1]?.isOwn === true && pieces[index + 1]?.isOwn === true
    const last = result.at(-1)
    if (last && last.isOwn === (isOwn || isBetween)) last.text += text
    else result.push({ text, isOwn: isOwn || isBetween })
  }
  return result
}
