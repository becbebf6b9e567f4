import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** The earliest time that a zip can hold. `forceDosTimestamp` writes it as local time: the same bytes in every zone. */
const MTIME = new Date(1980, 0, 1)
/** Readable by everyone: Lambda runs as another user than the one who unpacks. */
const MODE = 0o100644

/** Writes a zip of these files, named as they shall be in it, and always the same bytes for the same files. */
export async function writeZip(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const zip = new ZipFile()
  for (const [name, file] of Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))) {
    zip.addFile(file, name, { mtime: MTIME, mode: MODE, forceDosTimestamp: true, compressionLevel: 6 })
  }
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}
