import { announce } from '#lib/events/event'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { sha256 } from '#lib/kernel/signatures'
import { type Write, WriteConflict } from '#lib/kernel/write'
import { mediaEvents } from '#lib/listings/change-events'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import type { Blank } from '#lib/media/inspect/read-mp4'
import { blankFilm } from '#lib/media/render/blank-film'
import type { RenderedVariant, RenderPicture } from '#lib/media/render/render-picture'
import type { MediaName, OriginalName } from '#lib/media/store/media-links'
import type { OriginalStore } from '#lib/media/store/original-store'
import type { VariantStore } from '#lib/media/store/variant-store'
import { withMedia } from './change-media.ts'
import { examineOriginal } from './examine-original.ts'
import { type Media, type MediaReason, originalOf, type Variant } from './media.ts'
import type { WaitingEntry, WaitingMedia } from './waiting-media.ts'

export type ProcessingDeps = {
  listings: ListingStore
  originals: Pick<OriginalStore, 'size' | 'read' | 'remove'>
  variants: Pick<VariantStore, 'put' | 'putStream'>
  waiting: WaitingMedia
  render: RenderPicture
  now: Clock
  newId: NewId
}

/**
 * The outcome for an original: `unnamed` if no listing has its item, `claimed` if another run decodes it, `deferred` if its
 * owner's files may not be decoded now, `absent` if its bytes have not arrived.
 */
export type Processed = {
  name: OriginalName
  outcome: Media['status'] | 'unnamed' | 'claimed' | 'deferred' | 'absent'
}

/** Bounds on the decoding of one person's files. A failed condition of `toDecode` throws `too_many_requests`. */
type DecodingBounds = {
  toDecode: (agentId: UserId, at: Date) => Write[]
  toRefuse: (agentId: UserId, reason: MediaReason, at: Date) => Write[]
}

const UNBOUNDED: DecodingBounds = { toDecode: () => [], toRefuse: () => [] }

/**
 * Renders the variants of an original that has arrived, or rejects the original with a reason. Removes an original that
 * no listing names. Claims the item before it decodes the original; the claim ends with the function's time, at the
 * latest. Stores the variants first, under their hashes, and names them in the listing last: a repeated delivery
 * completes an interrupted run.
 */
export async function processMedia(
  deps: ProcessingDeps,
  name: OriginalName,
  remainingMilliseconds: number,
  bounds: DecodingBounds = UNBOUNDED,
): Promise<Processed> {
  const listing = await deps.listings.get(name.listingId)
  const media = mediaOf(listing, name)
  if (!listing || media?.kind !== name.kind) {
    await deps.originals.remove(name)
    return { name, outcome: 'unnamed' }
  }
  if (media.status !== 'PROCESSING') return { name, outcome: media.status }
  const { agentId } = listing
  const now = deps.now()
  const entry = { ...name, since: media.createdAt }
  const untilSeconds = Math.ceil((now.getTime() + remainingMilliseconds) / 1000)
  const obstacle = await claim(deps, entry, untilSeconds, bounds.toDecode(agentId, now), now)
  if (obstacle) return { name, outcome: obstacle }
  try {
    return { name, outcome: await decode(deps, listing, media, bounds) }
  } catch (error) {
    // If this fails, or does not come about, the claim ends by itself.
    await deps.listings.commit([deps.waiting.release(entry, untilSeconds)]).catch(() => undefined)
    throw error
  }
}

const mediaOf = (listing: Listing | undefined, { mediaId }: MediaName): Media | undefined =>
  listing?.media.find(({ id }) => id === mediaId)

/** Claims an item under conditions. Returns the obstacle; undefined if the claim holds. */
async function claim(
  { listings, waiting }: ProcessingDeps,
  entry: WaitingEntry,
  untilSeconds: number,
  conditions: Write[],
  now: Date,
): Promise<'claimed' | 'deferred' | undefined> {
  try {
    await listings.commit([waiting.claim(entry, untilSeconds, now), ...conditions])
    return undefined
  } catch (error) {
    if (error instanceof WriteConflict) return 'claimed'
    if (error instanceof DomainError && error.code === 'too_many_requests') return 'deferred'
    throw error
  }
}

async function decode(
  deps: ProcessingDeps,
  { id, agentId }: Listing,
  media: Media,
  bounds: DecodingBounds,
): Promise<Processed['outcome']> {
  const name = originalOf(id, media)
  const examined = await examineOriginal(deps, name, media)
  if (examined.outcome === 'absent') return 'absent'
  if (examined.outcome === 'refused') {
    const { reason } = examined
    return settle(deps, name, { status: 'REJECTED', reason }, bounds.toRefuse(agentId, reason, deps.now()))
  }
  const { width, height, placeholder, blanks } = examined
  const variants = await Promise.all(examined.variants.map((variant) => store(deps, name, variant)))
  const film = blanks === null ? null : await storeFilm(deps, name, media, blanks)
  return settle(deps, name, { status: 'READY', width, height, placeholder, variants, film })
}

async function store(
  { variants }: ProcessingDeps,
  name: MediaName,
  rendered: RenderedVariant,
): Promise<Variant> {
  const { content, ...variant } = rendered
  const hash = sha256(content, 'base64url').slice(0, HASH_LENGTH)
  await variants.put({ ...name, hash }, content, variant.contentType)
  return { ...variant, hash }
}

/**
 * Stores a film with its private parts blanked. The film is streamed, so its name cannot be the hash of the result. The
 * name is made from the original's hash, the same for every attempt.
 */
async function storeFilm(
  { originals, variants }: ProcessingDeps,
  name: OriginalName,
  { id, sha256: originalHash }: Media,
  blanks: Blank[],
): Promise<string> {
  const hash = sha256(`film ${id} ${originalHash}`, 'base64url').slice(0, HASH_LENGTH)
  await variants.putStream({ ...name, hash }, blankFilm(await originals.read(name), blanks), 'video/mp4')
  return hash
}

/** The length of a hash in the name of a variant: 132 bits, so that its address cannot be guessed. */
const HASH_LENGTH = 22

type SettleDeps = Pick<ProcessingDeps, 'listings' | 'now' | 'newId'> & {
  waiting: WaitingMedia
}

/**
 * Records the outcome of an item in PROCESSING; any other item stays as it is. Stores `also` in either case. Returns the item's
 * status.
 */
export const settle = (
  { listings, waiting, now, newId }: SettleDeps,
  name: MediaName,
  outcome: Partial<Media> & Pick<Media, 'status'>,
  also: Write[] = [],
): Promise<Processed['outcome']> =>
  retryConflicts(async () => {
    const listing = await listings.get(name.listingId)
    const media = mediaOf(listing, name)
    if (!listing || !media || media.status !== 'PROCESSING') {
      await listings.commit(also)
      return media?.status ?? 'unnamed'
    }
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
      ...also,
    ])
    return settled.status
  })
