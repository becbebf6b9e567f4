import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'

/** A job, and the shard of a stream in which it has a position. A table that was created again has a new stream. */
type Place = { job: string; stream: string; shard: string }

/** The positions of the jobs in the streams that they follow: the last sequence number that was handled. */
export type Positions = {
  get: (place: Place) => string | undefined
  /** Resolves once the position is on the disk. */
  set: (place: Place, position: string) => Promise<void>
}

const Kept = z.record(z.string(), z.string())
const POSITIONS_FILE = 'jobs.json'

/** Opens the positions kept in this directory. */
export async function openPositions(directory: string): Promise<Positions> {
  const file = join(directory, POSITIONS_FILE)
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const kept = new Map(Object.entries(Kept.parse(JSON.parse(text))))
  // One write at a time, since each writes all positions.
  let writing = Promise.resolve()
  const write = async () => {
    await writeFile(`${file}.new`, JSON.stringify(Object.fromEntries(kept), null, 2))
    await rename(`${file}.new`, file)
  }
  return {
    get: (place) => kept.get(nameOf(place)),
    set: (place, position) => {
      kept.set(nameOf(place), position)
      // A write that failed holds up no later one, which writes its position too.
      writing = writing.catch(() => undefined).then(write)
      return writing
    },
  }
}

const nameOf = ({ job, stream, shard }: Place) => `${job} ${stream} ${shard}`
