import type { MediaReason, Variant } from '#lib/listings/media/media'

/** A variant with its bytes; who stores it gives it its hash. */
export type RenderedVariant = Omit<Variant, 'hash'> & { content: Buffer }

/** A picture made fit to be shown, or why it cannot be. */
export type RenderedPicture =
  | {
      outcome: 'rendered'
      /** Of the picture upright. */
      width: number
      height: number
      placeholder: string
      variants: RenderedVariant[]
    }
  | { outcome: 'refused'; reason: MediaReason }

/**
 * Decodes a picture and encodes it anew in every size: upright, in sRGB, without a byte of what came beside the
 * pixels, never larger than it was. Of an animation the first frame is taken. Never throws for what a file holds;
 * memory and time are bounded whatever that is.
 */
export type RenderPicture = (picture: Buffer) => Promise<RenderedPicture>

/** The variants of a picture, by their width in pixels. */
export const VARIANT_WIDTHS = { thumb: 320, card: 800, full: 1920 } as const

/** What WebP can hold; a picture that is taller even so is made narrower instead. */
export const VARIANT_HEIGHT_MAX = 16_383
