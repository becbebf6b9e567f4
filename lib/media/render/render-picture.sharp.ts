import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { dependency } from '#lib/config'
import { PIXELS_MAX } from '#lib/media/inspect/inspect-file'
import {
  type RenderedPicture,
  type RenderedVariant,
  type RenderPicture,
  VARIANT_HEIGHT_MAX,
  VARIANT_WIDTHS,
} from './render-picture.ts'

/** One decoding and six encodings together stay under the function's time-out of 60 s. */
const DECODING_SECONDS = 40
const ENCODING_SECONDS = 10
const PLACEHOLDER_PIXELS = 100

/** libvips with loaders for the four accepted formats only, one thread, and no cache between pictures. */
const configured = (): typeof sharp => {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
  })
  return sharp
}

/** The function's renderer. */
export const renderPicture = dependency([], (): RenderPicture => {
  const open = configured()
  return async (picture) => {
    try {
      return await render(open, picture)
    } catch (error) {
      return { outcome: 'refused', reason: reasonOf(error) }
    }
  }
})

/** A picture in memory, 8 bits a channel. */
type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

async function render(open: typeof sharp, picture: Buffer): Promise<RenderedPicture> {
  const { autoOrient, format, bitsPerSample = 8 } = await open(picture, READING).metadata()
  const isDeepAvif = format === 'heif' && bitsPerSample > 8
  if (isDeepAvif && autoOrient.width * autoOrient.height > DEEP_AVIF_PIXELS_MAX) {
    return { outcome: 'refused', reason: 'too_many_pixels' }
  }
  const pixels = await decode(open, picture)
  const again = () => open(pixels.data, { raw: pixels.info })
  const variants: RenderedVariant[] = []
  for (const name of ['thumb', 'card', 'full'] as const) {
    for (const contentType of ['image/webp', 'image/jpeg'] as const) {
      variants.push({ name, contentType, ...(await encode(again(), VARIANT_WIDTHS[name], contentType)) })
    }
  }
  return {
    outcome: 'rendered',
    width: autoOrient.width,
    height: autoOrient.height,
    placeholder: await placeholder(again()),
    variants,
  }
}

/** The decoder of a deep AVIF holds the whole picture three times, at two bytes a sample: more exceeds the memory. */
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

const shrunk = (image: Sharp, width: number): Sharp =>
  image.resize({ width, height: VARIANT_HEIGHT_MAX, fit: 'inside', withoutEnlargement: true })

async function encode(image: Sharp, width: number, contentType: RenderedVariant['contentType']) {
  const fitted = shrunk(image, width)
  const encoded =
    contentType === 'image/webp'
      ? fitted.webp({ quality: 78 })
      : // Transparent pixels become white, since JPEG has no transparency.
        fitted.flatten({ background: 'white' }).jpeg({ quality: 78, mozjpeg: true })
  const { data, info } = await encoded
    .timeout({ seconds: ENCODING_SECONDS })
    .toBuffer({ resolveWithObject: true })
  return { content: data, width: info.width, height: info.height }
}

async function placeholder(image: Sharp): Promise<string> {
  const { data, info } = await image
    .resize({
      width: PLACEHOLDER_PIXELS,
      height: PLACEHOLDER_PIXELS,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64')
}

function reasonOf(error: unknown) {
  const message = error instanceof Error ? error.message : ''
  if (/pixel limit/i.test(message)) return 'too_many_pixels'
  return /timeout/i.test(message) ? 'took_too_long' : 'unreadable'
}
