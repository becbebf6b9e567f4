import type { Range } from './sample-ranges.ts'

/** The boxes of a track that say where its samples are (ISO/IEC 14496-12, 8.7): their contents by their types. */
export type SampleTables = Partial<Record<'stsz' | 'stz2' | 'stsc' | 'stco' | 'co64', Buffer>>

/** Before the entries of a table: version and flags, and the number of entries. */
const TABLE_HEADER_BYTES = 8

/** Before the sizes of samples: also the one size of all of them, or the number of bits of each entry. */
const SIZES_HEADER_BYTES = 12

const NO_TABLE = Buffer.alloc(SIZES_HEADER_BYTES)

/** Yields the range of each chunk of a track. What a table that is cut short leaves out holds no sample. */
export function* chunkRanges({ stsz, stz2, stsc, stco, co64 }: SampleTables): Generator<Range> {
  const nextBytes = stsz ? sampleSizes(stsz) : compactSampleSizes(stz2 ?? NO_TABLE)
  const samplesIn = samplesByChunk(stsc ?? NO_TABLE)
  const [table, entryBytes] = co64 ? [co64, 8] : [stco ?? NO_TABLE, 4]
  const count = countOf(table, TABLE_HEADER_BYTES, entryBytes)
  for (let chunk = 0; chunk < count; chunk += 1) {
    const at = TABLE_HEADER_BYTES + chunk * entryBytes
    const from = co64 ? Number(table.readBigUInt64BE(at)) : table.readUInt32BE(at)
    yield { from, to: from + nextBytes(samplesIn(chunk)) }
  }
}

/** Returns the number of entries that a table states, or that it holds if these are fewer. */
const countOf = (table: Buffer, headerBytes: number, entryBytes: number): number =>
  table.length < headerBytes
    ? 0
    : Math.min(table.readUInt32BE(headerBytes - 4), Math.floor((table.length - headerBytes) / entryBytes))

/** Returns the bytes of the next so many samples. */
type NextBytes = (samples: number) => number

function sampleSizes(stsz: Buffer): NextBytes {
  const size = stsz.length < SIZES_HEADER_BYTES ? 0 : stsz.readUInt32BE(4)
  if (size === 0) {
    const count = countOf(stsz, SIZES_HEADER_BYTES, 4)
    return summing(count, (sample) => stsz.readUInt32BE(SIZES_HEADER_BYTES + 4 * sample))
  }
  let left = stsz.readUInt32BE(8)
  return (samples) => {
    const taken = Math.min(samples, left)
    left -= taken
    return taken * size
  }
}

function compactSampleSizes(stz2: Buffer): NextBytes {
  const bits = stz2.length < SIZES_HEADER_BYTES ? 0 : stz2.readUInt8(7)
  if (bits === 16) {
    const count = countOf(stz2, SIZES_HEADER_BYTES, 2)
    return summing(count, (sample) => stz2.readUInt16BE(SIZES_HEADER_BYTES + 2 * sample))
  }
  const byteOf = (index: number) => stz2.readUInt8(SIZES_HEADER_BYTES + index)
  if (bits === 8) return summing(countOf(stz2, SIZES_HEADER_BYTES, 1), byteOf)
  // Two samples a byte, the first in its high half.
  const count = bits === 4 ? countOf(stz2, SIZES_HEADER_BYTES, 1 / 2) : 0
  return summing(count, (sample) => (byteOf(sample >> 1) >> (sample % 2 === 0 ? 4 : 0)) & 15)
}

function summing(count: number, sizeOf: (sample: number) => number): NextBytes {
  let next = 0
  return (samples) => {
    const end = Math.min(next + samples, count)
    let bytes = 0
    for (; next < end; next += 1) bytes += sizeOf(next)
    return bytes
  }
}

/** Returns the number of samples of each chunk, asked for in order, from 0. An entry counts until the chunk of the next. */
function samplesByChunk(stsc: Buffer): (chunk: number) => number {
  const ENTRY_BYTES = 12
  const count = countOf(stsc, TABLE_HEADER_BYTES, ENTRY_BYTES)
  const field = (entry: number, place: number) =>
    stsc.readUInt32BE(TABLE_HEADER_BYTES + entry * ENTRY_BYTES + place)
  let next = 0
  let samples = 0
  return (chunk) => {
    // An entry names its first chunk, counted from 1.
    for (; next < count && field(next, 0) <= chunk + 1; next += 1) samples = field(next, 4)
    return samples
  }
}
