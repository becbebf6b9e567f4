import type { OriginalName } from './original-store.ts'

/** The object of an original; nothing under `originals/` is ever public. */
export const originalKey = ({ listingId, mediaId }: OriginalName): string =>
  `originals/${listingId}/${mediaId}`
