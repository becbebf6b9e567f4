import { createHash } from 'node:crypto'
import { checkMp4 } from '#lib/media/inspect/check-mp4'
import { type ContentType, inspectFile } from '#lib/media/inspect/inspect-file'
import type { RenderedVariant, RenderPicture } from '#lib/media/render/render-picture'
import type { OriginalName } from '#lib/media/store/media-links'
import type { OriginalStore } from '#lib/media/store/original-store'
import type { Media, MediaReason } from './media.ts'

type Deps = { originals: Pick<OriginalStore, 'size' | 'read'>; render: RenderPicture }

/** What an original that has arrived turned out to be. */
export type Examined =
  | { outcome: 'absent' }
  | { outcome: 'refused'; reason: MediaReason }
  | {
      outcome: 'accepted'
      width: number | null
      height: number | null
      placeholder: string | null
      variants: RenderedVariant[]
    }

/** All that a video is told by; the rest of it is only measured and hashed. */
const SAMPLE_BYTES = 4100

const refused = (reason: MediaReason): Examined => ({ outcome: 'refused', reason })

/**
 * Checks what has arrived against what was promised, whoever vouched for it: length, hash, what the bytes are,
 * whether they decode. Memory stays in proportion to pictures and documents; a video passes through.
 */
export async function examineOriginal(deps: Deps, name: OriginalName, media: Media): Promise<Examined> {
  const size = await deps.originals.size(name)
  if (size === undefined) return { outcome: 'absent' }
  if (size !== media.bytes) return refused('size_mismatch')
  const { bytes, sha256, isWholeMp4 } = await take(await deps.originals.read(name), media.kind === 'video')
  if (sha256 !== media.sha256) return refused('checksum_mismatch')

  const inspected = await inspectFile(bytes, [media.contentType as ContentType])
  if (inspected.outcome === 'refused') return refused(REASONS[inspected.code])
  if (media.kind === 'video' && !isWholeMp4) return refused('unreadable')
  if (media.kind !== 'image') {
    return { outcome: 'accepted', width: null, height: null, placeholder: null, variants: [] }
  }
  const rendered = await deps.render(bytes)
  return rendered.outcome === 'rendered' ? { ...rendered, outcome: 'accepted' } : refused(rendered.reason)
}

const REASONS = {
  empty: 'unreadable',
  unsupported_type: 'type_mismatch',
  unreadable: 'unreadable',
  too_many_pixels: 'too_many_pixels',
} as const

/** Reads an original through; of a video only the beginning is kept. */
async function take(stream: AsyncIterable<Uint8Array>, isVideo: boolean) {
  const hash = createHash('sha256')
  const mp4 = checkMp4()
  const kept: Uint8Array[] = []
  let keptBytes = 0
  for await (const chunk of stream) {
    hash.update(chunk)
    if (isVideo) mp4.take(chunk)
    if (isVideo && keptBytes >= SAMPLE_BYTES) continue
    kept.push(chunk)
    keptBytes += chunk.length
  }
  return { bytes: Buffer.concat(kept), sha256: hash.digest('hex'), isWholeMp4: mp4.isWhole() }
}
