import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { CONTENT_TYPES, inspectFile } from '#lib/media/inspect/inspect-file'
import { renderPicture } from '#lib/media/render/render-picture.sharp'

// `npm run bench -- media`: what processing a picture takes, each in a process of its own: inspecting it, decoding it
// and encoding every variant. The peak is the whole process's, Node included. Never in `npm test`.

const MEMORY_SIZE_MEBIBYTES = 3008
const SIDES = { 1: [1155, 866], 12: [4000, 3000], 48: [8000, 6000], 100: [11_547, 8_660] } as const

/** As cameras write it, and the ways of writing it that make a decoder hold all of it at once. */
const FORMATS: Record<string, { write: (image: Sharp) => Sharp; isFlat?: boolean }> = {
  JPEG: { write: (image) => image.jpeg({ quality: 80 }) },
  'JPEG, progressive 4:4:4, on its side': {
    write: (image) =>
      image
        .jpeg({ quality: 80, progressive: true, chromaSubsampling: '4:4:4' })
        .withMetadata({ orientation: 6 }),
  },
  WebP: { write: (image) => image.webp({ quality: 75, effort: 0 }) },
  'AVIF 4:2:0': { write: (image) => image.avif({ quality: 45, effort: 0, chromaSubsampling: '4:2:0' }) },
  'AVIF 4:4:4': { write: (image) => image.avif({ quality: 45, effort: 0 }) },
  // Nobody photographs so; a flat one is what fits into 25 MiB.
  'PNG, interlaced, 16 bits, transparent': {
    isFlat: true,
    write: (image) =>
      image.toColourspace('rgb16').ensureAlpha(0.5).png({ compressionLevel: 1, progressive: true }),
  },
}

type Format = (typeof FORMATS)[string]
type Figures = { outcome: string; milliseconds: number; peakMebibytes: number }

/** A picture with as much in it as a photograph has, neither flat nor noise. */
async function paint(width: number, height: number, { write, isFlat = false }: Format): Promise<Buffer> {
  const coarse = await sharp({
    create: {
      width: Math.ceil(width / 16),
      height: Math.ceil(height / 16),
      channels: 3,
      background: '#888',
      ...(!isFlat && { noise: { type: 'gaussian', mean: 128, sigma: 50 } }),
    },
  })
    .png()
    .toBuffer()
  return write(sharp(coarse, { limitInputPixels: false }).resize(width, height, { fit: 'fill' })).toBuffer()
}

async function measure(file: string): Promise<Figures> {
  const picture = await readFile(file)
  const startedAt = performance.now()
  const inspected = await inspectFile(picture, CONTENT_TYPES)
  const rendered = inspected.outcome === 'accepted' ? await renderPicture.make()(picture) : inspected
  const { maxRSS } = process.resourceUsage()
  return {
    outcome: rendered.outcome === 'rendered' ? 'READY' : JSON.stringify(rendered),
    milliseconds: Math.round(performance.now() - startedAt),
    peakMebibytes: Math.round(maxRSS / 1024),
  }
}

async function alone(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, ...args])
  return stdout
}

const row = (...cells: (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)

async function compare(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-media-'))
  const file = join(directory, 'picture')
  let highest = 0
  row('megapixels', 'written as', 'MiB', 'ms', 'peak MiB', 'becomes')
  row('--:', '---', '--:', '--:', '--:', '---')
  for (const megapixels of Object.keys(SIDES)) {
    const names = megapixels === '100' ? Object.keys(FORMATS) : ['JPEG']
    for (const name of names) {
      const bytes = Number(await alone('paint', megapixels, name, file))
      const { outcome, milliseconds, peakMebibytes }: Figures = JSON.parse(await alone('process', file))
      highest = Math.max(highest, peakMebibytes)
      row(megapixels, name, (bytes / 2 ** 20).toFixed(1), milliseconds, peakMebibytes, outcome)
    }
  }
  await rm(directory, { recursive: true })
  console.log(`\nHighest: ${highest} of ${MEMORY_SIZE_MEBIBYTES} MiB.`)
  if (highest >= MEMORY_SIZE_MEBIBYTES) process.exitCode = 1
}

const [task, ...args] = process.argv.slice(2)
if (task === 'paint') {
  const [megapixels = '1', name = 'JPEG', file = ''] = args
  const [width, height] = SIDES[megapixels as unknown as keyof typeof SIDES]
  const picture = await paint(width, height, FORMATS[name] ?? { write: (image) => image.jpeg() })
  await writeFile(file, picture)
  console.log(picture.length)
} else if (task === 'process') {
  console.log(JSON.stringify(await measure(args[0] ?? '')))
} else {
  await compare()
}
