import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { currentStatus } from '#lib/accounts/kyc-state'
import { type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { refuseStale, type SeenVersion } from '#lib/kernel/version'
import type { Write } from '#lib/kernel/write'
import { whileWaiting } from '#lib/listings/media/change-media'
import {
  isReadyPicture,
  onlyUnseenWaits,
  withheldUnseen,
  withRevisedCaption,
} from '#lib/listings/media/media'
import { ShownFields } from './fields.ts'
import { type Listing, ListingStatus, ModerationReason, OWNER_NOT_VERIFIED } from './listing.ts'
import { type ListingDeps, moveWrites } from './move-listing.ts'
import { commitFound } from './search/commit-found.ts'
import type { SearchIndex } from './search/search-index.ts'
import { refuseOtherMoves } from './transitions.ts'

/** A moderator's decision. `message` is for the owner, `note` for administrators only. */
export const Moderation = z
  .object({
    status: ListingStatus.extract(['PUBLISHED', 'REJECTED', 'SUSPENDED']),
    reasons: z.array(ModerationReason).max(ModerationReason.options.length).nullish(),
    message: text({ max: 1000 }).nullish(),
    note: text({ max: 1000 }).nullish(),
  })
  .refine(
    ({ status, reasons, message }) =>
      status === 'PUBLISHED' || (reasons ?? []).length > 0 || (message ?? null) !== null,
    {
      path: ['reasons'],
      message: 'needs at least one reason, or a message, unless publishing',
    },
  )

type Decision = z.infer<typeof Moderation>

/**
 * Decides a listing, or the revision that waits on a published one. The status it already has, with nothing
 * waiting, records nothing. Media whose bytes may still be to come are never published by it: they wait in a revision,
 * and where nothing else does there is nothing to publish. `seen` guards what the moderator saw:
 * `version_conflict` when it has changed. Throws `listing_transition_not_allowed`, `owner_not_verified` and
 * `media_not_ready`.
 */
export const moderateListing = (
  deps: ListingDeps & { index: SearchIndex },
  administrator: string,
  id: ListingId,
  decision: Decision,
  seen: SeenVersion,
) =>
  retryConflicts(async () => {
    const listing = await deps.listings.get(id)
    if (!listing) throw new DomainError('not_found')
    refuseStale(listing.version, seen)
    const owner = await deps.accounts.get(listing.agentId)
    const at = timestamp(deps.now())
    const next = decide(listing, decision, at)
    if (next === null) return { listing, owner }

    // To drop a revision leaves a listing published, and publishes nothing.
    const guards = decision.status === 'PUBLISHED' ? [publishable(deps, next, owner)] : []
    const decided = {
      ...next,
      publishedAt: next.publishedAt ?? (next.status === 'PUBLISHED' ? at : null),
      updatedAt: at,
      version: listing.version + 1,
    }
    const motive = { by: administrator, ...motiveOf(decision) }
    const writes = (committed: Listing) => [...moveWrites(deps, listing, committed, at, motive), ...guards]
    return { listing: await commitFound(deps, listing, decided, writes), owner }
  })

const motiveOf = ({ reasons, message, note }: Decision) => ({
  reasons: [...new Set(reasons)] as string[],
  message: message ?? null,
  note: note ?? null,
})

/** What the listing becomes; null when it already is what was decided. */
function decide(listing: Listing, decision: Decision, at: Timestamp): Listing | null {
  const decided = { ...listing, ...motiveOf(decision) }
  const { revision } = listing
  if (listing.status === 'PUBLISHED' && revision && decision.status === 'PUBLISHED')
    return isUndecidable(listing) ? null : live(withRevision(decided), revision.submittedAt)
  if (listing.status === 'PUBLISHED' && revision && decision.status === 'REJECTED')
    return withoutRevision(decided)
  if (listing.status === decision.status) {
    // The service suspended it for its owner's standing; now a moderator does, and it no longer returns by itself.
    return decision.status === 'SUSPENDED' && listing.reasons.includes(OWNER_NOT_VERIFIED) ? decided : null
  }
  refuseOtherMoves(listing.status, decision.status)
  const moved = { ...decided, status: decision.status }
  if (decision.status === 'PUBLISHED') return live(moved, at)
  // Nothing of a rejected listing is live any more: what waited is what its owner says now.
  return decision.status === 'REJECTED' ? withRevision(moved) : moved
}

/** Whether all that waits of a listing is media that nobody could look at yet. */
const isUndecidable = ({ revision, media }: Listing): boolean =>
  Object.keys(revision?.changes ?? {}).length === 0 && onlyUnseenWaits(media)

/** A listing that customers are to see now: what waits of it is in its revision, since then or since it had one. */
function live(listing: Listing, since: Timestamp): Listing {
  const media = listing.media.map(withheldUnseen)
  const revision = listing.revision ?? { changes: {}, submittedAt: since }
  return { ...listing, media, revision: whileWaiting(revision, media) }
}

const withRevision = (listing: Listing): Listing => ({
  ...listing,
  ...ShownFields.parse({ ...listing, ...listing.revision?.changes }),
  media: listing.media.map(withRevisedCaption),
  revision: null,
})

const withoutRevision = (listing: Listing): Listing => ({
  ...listing,
  media: listing.media
    .filter(({ isPending }) => !isPending)
    .map((media) => ({ ...media, pendingCaption: null })),
  revision: null,
})

/**
 * Refuses a listing that must not go live, and holds the write to the owner's standing as it was read. A standing
 * decided meanwhile, for or against the owner, is a `WriteConflict`, so that the newest one counts.
 */
function publishable({ accounts, now }: ListingDeps, listing: Listing, owner: Account | undefined): Write {
  if (owner?.status !== 'ACTIVE' || currentStatus(owner.kyc, now()) !== 'VERIFIED') {
    throw new DomainError('owner_not_verified')
  }
  if (!listing.media.some(isReadyPicture)) throw new DomainError('media_not_ready')
  return accounts.stillAs(owner.id, { standingRevision: owner.standingRevision })
}
