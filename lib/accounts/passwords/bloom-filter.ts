import { hash } from 'node:crypto'

const BITS_PER_ENTRY = 24
const HASHES = 16

/**
 * Makes a set that takes three bytes an entry. It holds every word, and by mistake about one in 100,000 other words.
 * It is text, so that a build can put it into a bundle.
 */
export function makeFilter(words: readonly string[]): string {
  const bytes = Buffer.alloc(Math.ceil((words.length * BITS_PER_ENTRY) / 8))
  for (const word of words) {
    for (const bit of bitsOf(word, bytes.length * 8))
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7))
  }
  return bytes.toString('base64')
}

/** Returns the function that tells whether a filter holds a word. */
export function openFilter(filter: string): (word: string) => boolean {
  const bytes = Buffer.from(filter, 'base64')
  return (word) => bitsOf(word, bytes.length * 8).every((bit) => ((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1)
}

/** Double hashing (Kirsch and Mitzenmacher): two halves of one digest stand for all hashes. */
function bitsOf(word: string, size: number): number[] {
  const digest = hash('sha256', word, 'buffer')
  const first = digest.readUInt32LE(0)
  // Odd, as double hashing needs. `>>> 0` makes it unsigned again: a negative bit would lie outside the filter.
  const second = (digest.readUInt32LE(4) | 1) >>> 0
  const bits: number[] = []
  // A loop, for its speed: the build puts hundreds of thousands of words into the filter.
  for (let index = 0; index < HASHES; index += 1) bits.push((first + index * second) % size)
  return bits
}
