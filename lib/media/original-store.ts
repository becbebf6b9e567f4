import type { ListingId, MediaId } from '#lib/kernel/id'

/** Names the original of a media item. */
export type OriginalName = { listingId: ListingId; mediaId: MediaId }

/** Where originals live: private for good. */
export type OriginalStore = {
  put: (
    name: OriginalName,
    original: { content: Buffer; contentType: string; sha256: string },
  ) => Promise<void>
}

/** Makes private links: good for five minutes, for one original, without any credential. */
export type OriginalLinks = { linkTo: (name: OriginalName) => Promise<string> }
