import { createHash } from 'node:crypto'
import { announce } from '#lib/events/event'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import type { Blank } from '#lib/media/inspect/read-mp4'
import { blankBoxes } from '#lib/media/render/blank-boxes'
import type { RenderedVariant, RenderPicture } from '#lib/media/render/render-picture'
import type { OriginalName } from '#lib/media/store/media-links'
import type { OriginalStore } from '#lib/media/store/original-store'
import type { VariantStore } from '#lib/media/store/variant-store'
import { mediaEvents } from './announce-media.ts'
import { withMedia } from './change-media.ts'
import { examineOriginal } from './examine-original.ts'
import type { Media, Variant } from './media.ts'
import type { WaitingMedia } from './waiting-media.ts'

type Deps = {
  listings: Pick<ListingStore, 'get' | 'changeMedia' | 'commit'>
  originals: Pick<OriginalStore, 'size' | 'read'>
  variants: Pick<VariantStore, 'put' | 'putStream'>
  waiting: Pick<WaitingMedia, 'leave'>
  render: RenderPicture
  renderPages: RenderPicture
  now: Clock
  newId: NewId
}

/** The outcome for an original; `unnamed` if no listing has its item, `absent` if its bytes have not arrived. */
export type Processed = { name: OriginalName; outcome: Media['status'] | 'unnamed' | 'absent' }

/**
 * Renders the variants of an original that has arrived, or rejects the original with a reason. Stores the variants
 * first, under their hashes, and names them in the listing last: a repeated delivery completes an interrupted run.
 */
export async function processMedia(deps: Deps, name: OriginalName): Promise<Processed> {
  const media = mediaOf(await deps.listings.get(name.listingId), name)
  if (media?.status !== 'PROCESSING') return { name, outcome: media?.status ?? 'unnamed' }
  const examined = await examineOriginal(deps, name, media)
  if (examined.outcome === 'absent') return { name, outcome: 'absent' }
  if (examined.outcome === 'refused') {
    return { name, outcome: await settle(deps, name, { status: 'REJECTED', reason: examined.reason }) }
  }
  const { width, height, placeholder, blanks } = examined
  const variants = await Promise.all(examined.variants.map((variant) => store(deps, name, variant)))
  const film = blanks === null ? null : await storeFilm(deps, name, media, blanks)
  const ready = { status: 'READY', width, height, placeholder, variants, film } as const
  return { name, outcome: await settle(deps, name, ready) }
}

const mediaOf = (listing: Listing | undefined, { mediaId }: OriginalName): Media | undefined =>
  listing?.media.find(({ id }) => id === mediaId)

async function store({ variants }: Deps, name: OriginalName, rendered: RenderedVariant): Promise<Variant> {
  const { content, ...variant } = rendered
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, HASH_LENGTH)
  await variants.put({ ...name, hash }, content, variant.contentType)
  return { ...variant, hash }
}

/**
 * Stores a film with its private parts blanked. The film is streamed, so its name cannot be the hash of the result. The
 * name is made from the original's hash, the same for every attempt.
 */
async function storeFilm(
  { originals, variants }: Deps,
  name: OriginalName,
  { id, sha256 }: Media,
  blanks: Blank[],
): Promise<string> {
  const hash = createHash('sha256').update(`film ${id} ${sha256}`).digest('base64url').slice(0, HASH_LENGTH)
  await variants.putStream({ ...name, hash }, blankBoxes(await originals.read(name), blanks), 'video/mp4')
  return hash
}

/** The length of a hash in the name of a variant: 132 bits, so that its address cannot be guessed. */
const HASH_LENGTH = 22

type SettleDeps = Pick<Deps, 'listings' | 'waiting' | 'now' | 'newId'>

/** Records the outcome of an item in PROCESSING; any other item stays as it is. Returns the item's status. */
export const settle = (
  { listings, waiting, now, newId }: SettleDeps,
  name: OriginalName,
  outcome: Partial<Media> & Pick<Media, 'status'>,
): Promise<Processed['outcome']> =>
  retryConflicts(async () => {
    const listing = await listings.get(name.listingId)
    const media = mediaOf(listing, name)
    if (!listing || !media || media.status !== 'PROCESSING') return media?.status ?? 'unnamed'
    const settled = { ...media, ...outcome, uploadBefore: null }
    const at = now()
    const all = listing.media.map((item) => (item === media ? settled : item))
    const { id: listingId, agentId } = listing
    const ready = () =>
      announce({
        id: newId('event'),
        type: 'media.ready',
        subject: media.id,
        at: timestamp(at),
        data: { listingId, agentId, kind: media.kind },
      })
    const next = withMedia(listing, all, at)
    await listings.commit([
      listings.changeMedia(listing, next),
      waiting.leave({ ...name, since: media.createdAt }),
      // READY has an event of its own. Any other outcome is a change of the listing's media.
      ...(settled.status === 'READY' ? [ready()] : mediaEvents({ newId }, listing, next)),
    ])
    return settled.status
  })
