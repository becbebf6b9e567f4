import { createHash } from 'node:crypto'
import type { AccountStore } from '#lib/accounts/account-store'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError, type FieldError } from '#lib/kernel/domain-error'
import type { ListingId, NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { getOwnListing } from '#lib/listings/get-listing'
import type { Listing } from '#lib/listings/listing'
import type { ListingStore } from '#lib/listings/listing-store'
import type { Caller, Viewer } from '#lib/listings/view-listing'
import { type InspectedFile, inspectFile } from './inspect-file.ts'
import { MEDIA_MAX, type Media } from './media.ts'
import type { OriginalStore } from './original-store.ts'

/** One part of the upload, as it was sent. */
type Part = { name: string; content: Buffer }

type Deps = {
  listings: ListingStore
  accounts: AccountStore
  originals: OriginalStore
  now: Clock
  newId: NewId
}

const Caption = text({ max: 300 })

/**
 * Adds files to a listing: all or none, in the order sent. The same bytes once more are the item that is
 * there. On a published or suspended listing new media wait in its revision. The bytes are stored before the
 * listing names them; what a lost race leaves behind is named by nobody. Throws `validation_failed` and
 * `payload_too_large` naming the part, `media_limit_reached`, and `listing_transition_not_allowed` when archived.
 */
export async function uploadMedia(
  deps: Deps,
  caller: NonNullable<Caller>,
  id: ListingId,
  parts: readonly Part[],
) {
  const files = await readFiles(parts)
  const stored = new Map<string, Media>()
  return retryConflicts(async () => {
    const { listing, viewer } = await getOwnListing(deps, caller, id)
    refuseArchived(listing)
    const known = new Map(listing.media.map((media) => [media.sha256, media]))
    const added = [
      ...new Map(
        files.filter(({ sha256 }) => !known.has(sha256)).map((file) => [file.sha256, file]),
      ).values(),
    ]
    if (listing.media.length + added.length > MEDIA_MAX) {
      throw new DomainError('media_limit_reached', { detail: `A listing may have ${MEDIA_MAX} media` })
    }
    for (const file of added)
      if (!stored.has(file.sha256)) stored.set(file.sha256, await store(deps, listing, file))
    const next = withMedia(
      listing,
      added.flatMap(({ sha256 }) => stored.get(sha256) ?? []),
      deps.now(),
    )
    if (added.length > 0) await deps.listings.commit([deps.listings.replace(listing, next)])
    return answer(
      next,
      viewer,
      files.map(({ sha256 }) => sha256),
      added.length > 0,
    )
  })
}

const answer = (listing: Listing, viewer: Viewer, hashes: readonly string[], isNew: boolean) => ({
  listing,
  viewer,
  hashes,
  isNew,
})

function refuseArchived({ status }: Listing): void {
  if (status !== 'ARCHIVED') return
  throw new DomainError('listing_transition_not_allowed', {
    detail: 'An archived listing does not change',
    extensions: { from: status, to: status, allowed: [] },
  })
}

type Accepted = Extract<InspectedFile, { outcome: 'accepted' }>
type ReadFile = Accepted & { content: Buffer; sha256: string; caption: string | null }

/** Looks at every file before any is kept, so that one answer names everything that is wrong. */
async function readFiles(parts: readonly Part[]): Promise<ReadFile[]> {
  const files = parts.filter(({ name }) => name === 'file')
  const captions = parts
    .filter(({ name }) => name === 'caption')
    .map(({ content }) => content.toString('utf8'))
  const errors: FieldError[] = []
  if (files.length === 0) errors.push({ path: 'file', code: 'required', message: 'is required' })
  if (captions.length > files.length)
    errors.push({ path: 'caption', code: 'too_many', message: 'has more captions than files' })
  const read: ReadFile[] = []
  for (const [index, { content }] of files.entries()) {
    const inspected = await inspectFile(content, UPLOADED_TYPES)
    const caption = Caption.safeParse(captions[index] ?? '')
    const given = (captions[index] ?? '').trim() !== ''
    if (given && !caption.success)
      errors.push({ path: `caption[${index}]`, code: 'too_big', message: 'must have at most 300 characters' })
    if (inspected.outcome === 'refused') {
      errors.push({ path: `file[${index}]`, code: inspected.code, message: inspected.message })
    } else {
      const sha256 = createHash('sha256').update(content).digest('hex')
      read.push({ ...inspected, content, sha256, caption: (given && caption.data) || null })
    }
  }
  if (errors.length === 0) return read
  const detail = errors.map(({ path, message }) => `${path} ${message}`).join('; ')
  throw new DomainError('validation_failed', { detail, errors })
}

const UPLOADED_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'application/pdf'] as const

async function store({ originals, now, newId }: Deps, listing: Listing, file: ReadFile): Promise<Media> {
  const { content, outcome: _outcome, ...known } = file
  const id = newId('media')
  await originals.put(
    { listingId: listing.id, mediaId: id },
    { content, contentType: file.contentType, sha256: file.sha256 },
  )
  return {
    ...known,
    id,
    status: 'READY',
    reason: null,
    bytes: content.length,
    isPending: false,
    createdAt: timestamp(now()),
  }
}

/** The listing with more media: at once while it is the agent's own, in its revision once it is live. */
function withMedia(listing: Listing, added: readonly Media[], now: Date): Listing {
  const isLive = listing.status === 'PUBLISHED' || listing.status === 'SUSPENDED'
  const media = [...listing.media, ...added.map((item) => ({ ...item, isPending: isLive }))]
  const at = timestamp(now)
  const revision = isLive ? (listing.revision ?? { changes: {}, submittedAt: at }) : listing.revision
  return { ...listing, media, revision, updatedAt: at, version: listing.version + 1 }
}
