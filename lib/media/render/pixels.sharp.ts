import sharp, { type Sharp } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import { type RenderedVariant, VARIANT_HEIGHT_MAX } from './render-picture.ts'

/** A picture in memory, 8 bits a channel. */
export type Pixels = { data: Buffer; info: { width: number; height: number; channels: 1 | 2 | 3 | 4 } }

const ENCODING_SECONDS = 10
const PLACEHOLDER_PIXELS = 100

/** Returns libvips with loaders for the four accepted formats only, one thread, and no cache between pictures. */
export function configuredSharp(): typeof sharp {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
  })
  return sharp
}

/** Scales a picture down to at most `width` pixels, and to a height that every format can hold; never up. */
export const shrunk = (image: Sharp, width: number): Sharp =>
  image.resize({ width, height: VARIANT_HEIGHT_MAX, fit: 'inside', withoutEnlargement: true })

/** `quick` takes a tenth of the time of `small` for a JPEG that is a fifth larger. */
type Effort = 'small' | 'quick'

/** Encodes a picture at most `width` pixels wide, within ten seconds, without metadata. */
export async function encode(
  image: Sharp,
  width: number,
  contentType: RenderedVariant['contentType'],
  { effort = 'small' }: { effort?: Effort } = {},
) {
  const fitted = shrunk(image, width)
  const encoded =
    contentType === 'image/webp'
      ? fitted.webp({ quality: 78 })
      : // Transparent pixels become white, since JPEG has no transparency.
        fitted.flatten({ background: 'white' }).jpeg({ quality: 78, mozjpeg: effort === 'small' })
  const { data, info } = await encoded
    .timeout({ seconds: ENCODING_SECONDS })
    .toBuffer({ resolveWithObject: true })
  return { content: data, width: info.width, height: info.height }
}

/** Returns the ThumbHash of a picture, in base64. */
export async function placeholder(image: Sharp): Promise<string> {
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
