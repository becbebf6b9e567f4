import type { Schema } from '../api/schemas.ts'

type Media = Schema<'Media'>

type Props = {
  of: Pick<Media, 'url' | 'variants' | 'caption'> | undefined | null
  size: 'thumb' | 'card' | 'full'
  alt?: string
}

/** A picture in the size that is needed, or an empty frame while it has none. */
export function Picture({ of, size, alt = '' }: Props) {
  const variant = of?.variants.find(({ name }) => name === size) ?? of?.variants[0]
  if (variant === undefined) return <span class={`picture ${size}`} role="presentation" />
  const { url, width, height } = variant
  return <img class={`picture ${size}`} src={url} width={width} height={height} alt={alt} loading="lazy" />
}
