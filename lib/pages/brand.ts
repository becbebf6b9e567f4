import { type Config, dependency } from '#lib/config/config'

/** The operator's name, colour and logo. */
export type Brand = Config<'BRAND'>['BRAND']

/** The brand of the pages that customers see. */
export const brand = dependency(['BRAND'], ({ BRAND }): Brand => BRAND)

const DEFAULT_COLOUR = '#1d4ed8'
const DARK_INK = '#111827'

/**
 * Returns the operator's colour and the ink on it: white or dark, whichever has the greater contrast.
 *
 * @see https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
 */
export function coloursOf({ colour = DEFAULT_COLOUR }: Brand): { colour: string; ink: string } {
  const luminance = luminanceOf(colour)
  const onWhite = 1.05 / (luminance + 0.05)
  const onDark = (luminance + 0.05) / (luminanceOf(DARK_INK) + 0.05)
  return { colour, ink: onWhite >= onDark ? '#ffffff' : DARK_INK }
}

/** @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(colour: string): number {
  // `#abc` is short for `#aabbcc`.
  const digits = colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(digits.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Returns the logo's source for a Content-Security-Policy; null without a logo. */
export function imageSourceOf({ logo }: Brand): string | null {
  if (logo === undefined) return null
  const { protocol, origin } = new URL(logo)
  return protocol === 'data:' ? protocol : origin
}
