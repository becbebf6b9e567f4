import type { VariantFacts } from './variant.ts'

/** One encoded size of a picture, with its bytes. */
export type RenderedVariant = VariantFacts & { content: Buffer }

/** The variants of a picture, or the reason why the picture cannot be shown. */
export type RenderedPicture =
  | {
      outcome: 'rendered'
      /** The size in pixels of the picture turned upright, or of the first page of a PDF. */
      width: number
      height: number
      /** A ThumbHash in base64, to show until the picture is there. */
      placeholder: string
      variants: RenderedVariant[]
    }
  | { outcome: 'refused'; reason: 'too_many_pixels' | 'took_too_long' | 'unreadable' }

/**
 * Decodes a picture and encodes it again in every size: upright, in sRGB and without metadata. No variant is larger
 * than the picture. An animation shows its first frame. A PDF becomes one `full` JPEG for each page instead. Never throws
 * because of the contents of a file; memory and time are bounded for every file.
 */
export type RenderPicture = (picture: Buffer) => Promise<RenderedPicture>

/** The greatest width of each variant, in pixels. */
export const VARIANT_WIDTHS = { thumb: 320, card: 800, full: 1920 } as const

/** The greatest height that WebP can hold, in pixels. A taller picture is scaled down until it fits. */
export const VARIANT_HEIGHT_MAX = 16_383

/** The number of pages of a PDF that are drawn: its first ones. */
export const PAGES_MAX = 10
