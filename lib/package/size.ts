import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../../.serverless')

/** The largest size of a function, in bytes; functions with an image codec have a limit of their own. */
const LARGEST_BYTES = 600_000
const EXCEPTIONS: Readonly<Record<string, number>> = {
  'processMedia.zip': 15_000_000,
  'processPdfs.zip': 15_000_000,
}

/** osls's own, for S3 events of buckets that it makes. */
const NOT_OURS = ['custom-resources.zip']

const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.zip') && !NOT_OURS.includes(file))
const sizes = await Promise.all(
  files.map(async (file) => ({ file, bytes: (await stat(join(FOLDER, file))).size })),
)
const tooLarge = sizes.filter(({ file, bytes }) => bytes > (EXCEPTIONS[file] ?? LARGEST_BYTES))

const totalBytes = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
console.log(`${sizes.length} functions, ${Math.round(totalBytes / 1000)} kB in all`)
for (const { file, bytes } of tooLarge) console.error(`${file} has ${bytes} bytes: more than it may`)
process.exitCode = tooLarge.length > 0 || sizes.length === 0 ? 1 : 0
