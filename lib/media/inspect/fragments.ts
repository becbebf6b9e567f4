/** The header of a track's part of a fragment (ISO/IEC 14496-12, 8.8.7). */
type FragmentHeader = {
  trackId: number
  /** The offset from which runs count; undefined if it depends on the fragment. */
  base: number | undefined
  /** Whether runs count from the fragment itself. */
  isFromFragment: boolean
  /** The size of samples for which a run states none; undefined for the size that the film states for the track. */
  sampleBytes: number | undefined
}

/** Reads the contents of a `tfhd`; undefined if they are cut short. */
export function readFragmentHeader(tfhd: Buffer): FragmentHeader | undefined {
  if (tfhd.length < 8) return undefined
  const flags = tfhd.readUInt32BE(0)
  const has = (flag: number): boolean => (flags & flag) !== 0
  const sizeAt = 8 + (has(0x01) ? 8 : 0) + (has(0x02) ? 4 : 0) + (has(0x08) ? 4 : 0)
  return {
    trackId: tfhd.readUInt32BE(4),
    base: has(0x01) && tfhd.length >= 16 ? Number(tfhd.readBigUInt64BE(8)) : undefined,
    isFromFragment: has(0x02_0000),
    sampleBytes: has(0x10) && tfhd.length >= sizeAt + 4 ? tfhd.readUInt32BE(sizeAt) : undefined,
  }
}

/** Samples of a fragment that follow each other. */
type Run = {
  /** From the base of the track's part; undefined if the run follows the one before. */
  offset: number | undefined
  bytes: number
}

/** Reads the contents of a `trun` (8.8.8). Samples that are cut off have no bytes. */
export function readRun(trun: Buffer, sampleBytes: number): Run {
  if (trun.length < 8) return { offset: undefined, bytes: 0 }
  const flags = trun.readUInt32BE(0)
  const has = (flag: number): boolean => (flags & flag) !== 0
  const stated = trun.readUInt32BE(4)
  const offset = has(0x01) && trun.length >= 12 ? trun.readInt32BE(8) : undefined
  if (!has(0x200)) return { offset, bytes: stated * sampleBytes }
  // Each sample has up to four fields: its duration, size, flags, and the offset of its time.
  const entryBytes = 4 * [0x100, 0x200, 0x400, 0x800].filter(has).length
  const entriesAt = 8 + (has(0x01) ? 4 : 0) + (has(0x04) ? 4 : 0)
  const sizesAt = entriesAt + (has(0x100) ? 4 : 0)
  const count = Math.min(stated, Math.floor((trun.length - entriesAt) / entryBytes))
  let bytes = 0
  for (let sample = 0; sample < count; sample += 1) bytes += trun.readUInt32BE(sizesAt + sample * entryBytes)
  return { offset, bytes }
}
