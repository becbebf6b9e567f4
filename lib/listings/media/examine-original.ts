import { createHash } from 'node:crypto'
import { type ContentType, inspectFile } from '#lib/media/inspect/inspect-file'
import { type Blank, readMp4 } from '#lib/media/inspect/read-mp4'
import type { RenderedVariant, RenderPicture } from '#lib/media/render/render-picture'
import type { OriginalName } from '#lib/media/store/media-links'
import type { OriginalStore } from '#lib/media/store/original-store'
import type { Media, MediaReason } from './media.ts'

type Deps = {
  originals: Pick<OriginalStore, 'size' | 'read'>
  render: RenderPicture
}

/** The result of examining an original. */
type Examined =
  | { outcome: 'absent' }
  | { outcome: 'refused'; reason: MediaReason }
  | {
      outcome: 'accepted'
      width: number | null
      height: number | null
      placeholder: string | null
      variants: RenderedVariant[]
      /** The bytes of a film that customers do not get, such as its location; null for other files. */
      blanks: Blank[] | null
    }

/** The bytes of a film that are kept: enough to recognise its type. The others are only hashed and read box by box. */
const SAMPLE_BYTES = 4100

/** The size of a film whose tracks name none. */
const UNMEASURED = { width: null, height: null }

const refused = (reason: MediaReason): Examined => ({ outcome: 'refused', reason })

/**
 * Compares an original that has arrived with its item: length, hash and type. Decodes it, and renders the variants of a
 * picture or document. The store's own checks are not trusted. A film is streamed, other files are held in memory.
 */
export async function examineOriginal(deps: Deps, name: OriginalName, media: Media): Promise<Examined> {
  const size = await deps.originals.size(name)
  if (size === undefined) return { outcome: 'absent' }
  if (size !== media.bytes) return refused('size_mismatch')
  const isVideo = media.kind === 'video'
  const { bytes, sha256, film } = await take(await deps.originals.read(name), { isVideo })
  if (sha256 !== media.sha256) return refused('checksum_mismatch')

  const inspected = await inspectFile(bytes, [media.contentType as ContentType])
  if (inspected.outcome === 'refused') return refused(REASONS[inspected.code])
  if (isVideo) {
    if (!film.isWhole()) return refused('unreadable')
    const { width, height } = film.size() ?? UNMEASURED
    return { outcome: 'accepted', width, height, placeholder: null, variants: [], blanks: film.blanks() }
  }
  const rendered = await deps.render(bytes)
  if (rendered.outcome !== 'rendered') return refused(rendered.reason)
  return { ...rendered, outcome: 'accepted', blanks: null }
}

const REASONS = {
  empty: 'unreadable',
  unsupported_type: 'type_mismatch',
  unreadable: 'unreadable',
  too_many_pixels: 'too_many_pixels',
} as const

/** Reads an original to its end, and keeps its bytes; of a film only the first ones. */
async function take(stream: AsyncIterable<Uint8Array>, { isVideo }: { isVideo: boolean }) {
  const hash = createHash('sha256')
  const film = readMp4()
  const kept: Uint8Array[] = []
  let keptBytes = 0
  for await (const chunk of stream) {
    hash.update(chunk)
    if (isVideo) film.take(chunk)
    if (isVideo && keptBytes >= SAMPLE_BYTES) continue
    kept.push(chunk)
    keptBytes += chunk.length
  }
  return { bytes: Buffer.concat(kept), sha256: hash.digest('hex'), film }
}
