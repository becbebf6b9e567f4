import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

const CENTRAL_ENTRY = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const END_BYTES = 22

/** Unpacks a zip without an archive comment, as yazl writes them. Answers with the names in it. */
export async function unzip(path: string, folder: string): Promise<string[]> {
  const zip = await readFile(path)
  const end = zip.length - END_BYTES
  if (zip.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error(`${path} is not a plain zip`)
  const names: string[] = []
  let entry = zip.readUInt32LE(end + 16)
  while (zip.readUInt32LE(entry) === CENTRAL_ENTRY) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((at) => zip.readUInt16LE(entry + at))
    const name = zip.toString('utf8', entry + 46, entry + 46 + (nameLength ?? 0))
    const target = join(folder, name)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, contentOf(zip, entry))
    names.push(name)
    entry += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return names
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const local = zip.readUInt32LE(entry + 42)
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const packed = zip.subarray(start, start + zip.readUInt32LE(entry + 20))
  return zip.readUInt16LE(entry + 10) === 0 ? packed : inflateRawSync(packed)
}
