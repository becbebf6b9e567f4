import { type Account, isEligibleToPublish } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { announce } from '#lib/events/event'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { ListingId, NewId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import { retryConflicts } from '#lib/kernel/retry'
import type { SeenVersion, Versioned } from '#lib/kernel/version'
import type { Write } from '#lib/kernel/write'
import { isReadyPicture } from '#lib/listings/media/media'
import { publishMedia, type VariantPublisher } from '#lib/listings/media/publish-media'
import type { MediaLinks } from '#lib/media/store/media-links'
import { submissionEvents, updateEvent } from '../change-events.ts'
import { type Listing, withPriceRecorded } from '../listing.ts'
import { refuseStaleListing } from '../listing-version.ts'
import { type ListingDeps, type MoveDeps, moveWrites } from '../moves/move-listing.ts'
import type { ListingView } from '../views/listing-view.ts'
import { versionedView } from '../views/view-listing.ts'
import { type Decision, decide, isAboutRevision, motiveOf } from './decision.ts'

type Deps = ListingDeps &
  MoveDeps & {
    accounts: AccountReader
    journal: Journal
    links: MediaLinks
    variants: VariantPublisher
    once: Once<Versioned<ListingView>>
  }

/**
 * Decides a listing, or the pending revision of a published one. A decision for the status that the listing has already,
 * without a pending revision, changes nothing. Media whose bytes may not have arrived are never published: they stay
 * pending. The journal records the decision in the same transaction. Afterwards it publishes the pictures of an online
 * listing, and withdraws those of any other; if that fails, a function on the table's stream does it. Throws
 * `version_conflict` unless the administrator has seen the present version. Throws `listing_transition_not_allowed`,
 * `owner_not_verified` and `media_not_ready`.
 */
export async function moderateListing(
  deps: Deps,
  administrator: string,
  id: ListingId,
  decision: Decision,
  seen: SeenVersion,
): Promise<Versioned<ListingView>> {
  const { agentId, view } = await decideListing(deps, administrator, id, decision, seen)
  await publishMedia(deps, agentId, id)
  return view
}

const decideListing = (
  deps: Deps,
  administrator: string,
  id: ListingId,
  decision: Decision,
  seen: SeenVersion,
) =>
  retryConflicts(async () => {
    const listing = await deps.listings.get(id)
    if (!listing) throw new DomainError('not_found')
    refuseStaleListing(listing, 'administrator', seen)
    const owner = await deps.accounts.get(listing.agentId)
    const at = timestamp(deps.now())
    const next = decide(listing, decision, at)
    if (next === null) {
      const view = await versionedView(listing, owner, 'administrator', deps.links)
      await deps.listings.commit(deps.once.receipt(view))
      return { agentId: listing.agentId, view }
    }

    // Rejecting a revision leaves its listing published, and publishes nothing.
    const guards = decision.status === 'PUBLISHED' ? [requirePublishable(deps, next, owner)] : []
    const isLive = next.status === 'PUBLISHED'
    const newVersion = {
      ...next,
      publishedAt: next.publishedAt ?? (isLive ? at : null),
      updatedAt: at,
      version: listing.version + 1,
    }
    const decided = isLive ? withPriceRecorded(listing, newVersion, at) : newVersion
    const view = await versionedView(decided, owner, 'administrator', deps.links)
    const motive = { by: administrator, ...motiveOf(decision) }
    await deps.listings.commit([
      ...moveWrites(deps, listing, decided, at, motive),
      ...revisionEvents(deps, listing, decided, decision, at),
      // Media that have not arrived stay in a revision, which then begins or changes.
      ...submissionEvents(deps.newId, listing, decided),
      recordDecision(deps, administrator, listing, decision),
      ...guards,
      ...deps.once.receipt(view),
    ])
    return { agentId: listing.agentId, view }
  })

/** Records a decision in the journal: codes and states, never what the moderator wrote. */
function recordDecision(
  { journal, newId }: { journal: Journal; newId: NewId },
  by: string,
  seen: Listing,
  decision: Decision,
): Write {
  const { reasons } = motiveOf(decision)
  const revision = isAboutRevision(seen, decision)
  const details = { from: seen.status, to: decision.status, revision, reasons }
  return journal.record(newAction(newId, { by, subject: seen.id, action: 'listing.moderated', details }))
}

/** Announces a decision about a revision. */
function revisionEvents(
  { newId }: ListingDeps,
  seen: Listing,
  next: Listing,
  decision: Decision,
  at: Timestamp,
): Write[] {
  if (!isAboutRevision(seen, decision)) return []
  const outcome = decision.status === 'REJECTED' ? 'REJECTED' : 'PUBLISHED'
  const { id: subject, agentId } = seen
  return [
    announce({ id: newId('event'), type: 'revision.decided', subject, at, data: { agentId, outcome } }),
    ...(outcome === 'PUBLISHED' ? [updateEvent(newId, next)] : []),
  ]
}

/**
 * Throws for a listing that must not go live. Returns the condition that the owner's account is still as it was read; a
 * simultaneous decision about the owner is then a `WriteConflict`.
 */
function requirePublishable(
  { accounts, now }: { accounts: AccountReader; now: Clock },
  listing: Listing,
  owner: Account | undefined,
): Write {
  if (!owner || !isEligibleToPublish(owner, now())) throw new DomainError('owner_not_verified')
  if (!listing.media.some(isReadyPicture)) throw new DomainError('media_not_ready')
  return accounts.requireUnchanged(owner)
}
