import type sharp from 'sharp'
import { dependency } from '#lib/config/config'
import { PIXELS_MAX } from '#lib/media/inspect/inspect-file'
import { configuredSharp, encode, type Pixels, placeholder, shrunk } from './pixels.sharp.ts'
import {
  type RenderedPicture,
  type RenderedVariant,
  type RenderPicture,
  VARIANT_WIDTHS,
} from './render-picture.ts'

/** Leaves 20 of the function's 60 seconds to encode the picture, scaled down, six times. */
const DECODING_SECONDS = 40

/** The renderer of pictures, as a dependency of functions. */
export const renderPicture = dependency([], (): RenderPicture => {
  const open = configuredSharp()
  return async (picture) => {
    try {
      return await render(open, picture)
    } catch (error) {
      return { outcome: 'refused', reason: reasonOf(error) }
    }
  }
})

async function render(open: typeof sharp, picture: Buffer): Promise<RenderedPicture> {
  const { autoOrient, format, bitsPerSample = 8 } = await open(picture, READING).metadata()
  // `heif` is sharp's name for the format of AVIF.
  const isDeepAvif = format === 'heif' && bitsPerSample > 8
  if (isDeepAvif && autoOrient.width * autoOrient.height > DEEP_AVIF_PIXELS_MAX) {
    return { outcome: 'refused', reason: 'too_many_pixels' }
  }
  const pixels = await decode(open, picture)
  const openDecoded = () => open(pixels.data, { raw: pixels.info })
  const variants: RenderedVariant[] = []
  for (const name of ['thumb', 'card', 'full'] as const) {
    for (const contentType of ['image/webp', 'image/jpeg'] as const) {
      variants.push({
        name,
        contentType,
        page: null,
        ...(await encode(openDecoded(), VARIANT_WIDTHS[name], contentType)),
      })
    }
  }
  return {
    outcome: 'rendered',
    width: autoOrient.width,
    height: autoOrient.height,
    placeholder: await placeholder(openDecoded()),
    variants,
  }
}

/**
 * The decoder of an AVIF with more than 8 bits a sample holds the whole picture three times, at two bytes a sample. A
 * larger picture exceeds the function's memory.
 */
const DEEP_AVIF_PIXELS_MAX = PIXELS_MAX / 2

const READING = { limitInputPixels: PIXELS_MAX, sequentialRead: true, failOn: 'warning' } as const

/** Warnings about complete pictures, as some cameras and editors write them. */
const HARMLESS = /extraneous bytes before marker|Invalid SOS parameters|Adobe color transform/

/** Decodes the picture once, to the largest variant: every variant is made from it. Throws for a truncated picture. */
async function decode(open: typeof sharp, picture: Buffer): Promise<Pixels> {
  const read = (failOn: 'warning' | 'error') =>
    shrunk(open(picture, { ...READING, failOn }).autoOrient(), VARIANT_WIDTHS.full)
      .toColourspace('srgb')
      .timeout({ seconds: DECODING_SECONDS })
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true }) as Promise<Pixels>
  return read('warning').catch((error: unknown) => {
    if (error instanceof Error && HARMLESS.test(error.message)) return read('error')
    throw error
  })
}

function reasonOf(error: unknown) {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(message)) return 'too_many_pixels'
  return /timeout/i.test(message) ? 'took_too_long' : 'unreadable'
}
