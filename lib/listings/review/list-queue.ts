import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { currentStatus, KycStatus } from '#lib/accounts/kyc-state'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { ListingId, type NewId, UserId } from '#lib/kernel/id'
import { answerPage, type Page, PageQuery, pageThatFits } from '#lib/kernel/page'
import type { MediaLinks } from '#lib/media/store/media-links'
import { type Listing, ListingStatus } from '../listing.ts'
import type { ListingReader } from '../listing-store.ts'
import { ListingAgent, ListingView, RevisionView } from '../views/listing-view.ts'
import { viewListing, viewRevision } from '../views/view-listing.ts'
import { listsOf, positionInQueue, waitingSince } from './queue-place.ts'

/** The filters of the queue: by default it lists the listings in review. */
export const QueueQuery = PageQuery.extend({
  status: ListingStatus.optional().meta({ description: '`PENDING_REVIEW` by default, without `agent`' }),
  agent: z.string().max(100).optional().meta({ example: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
})

/** A listing in the queue. Its `revision` says what changed. */
export const QueuedListing = ListingView.extend({
  agent: ListingAgent.extend({ kycStatus: KycStatus.nullable().meta({ description: 'Null once erased' }) }),
  waitingSince: Timestamp.nullable().meta({ description: 'Null for a listing that does not wait' }),
  reportCount: z.int().meta({ description: 'Open reports', example: 2 }),
  claimedBy: z.string().nullable().meta({
    description: 'The administrator who has claimed it',
    example: 'adm-7f3a',
  }),
  reasons: z.array(z.string()).meta({ example: [] }),
  message: z.string().nullable(),
  note: z.string().nullable(),
  revision: RevisionView.nullable().meta({ example: null }),
}).meta({
  id: 'QueuedListing',
  example: { status: 'PENDING_REVIEW', waitingSince: '2026-11-20T17:00:00.000Z', publishedAt: null },
})

export type ReportsAndClaim = { reportCount: number; claimedBy: string | null }

type Deps = {
  listings: ListingReader
  accounts: AccountReader
  /** Reads those of a page of listings. A listing without any may be left out. */
  reportsAndClaims: (ids: ListingId[]) => Promise<ReadonlyMap<string, ReportsAndClaim>>
  links: MediaLinks
  cursors: Cursors
  journal: Journal
  now: Clock
  newId: NewId
}

/**
 * Lists the moderation queue: listings in review, and live listings with a pending revision, longest waiting first.
 * Another status lists its listings: waiting ones by the start of their wait, the others by age. An agent's listings come
 * newest first. The journal records which parameters were given and which listings were returned.
 */
export async function listQueue(deps: Deps, administrator: string, query: z.infer<typeof QueueQuery>) {
  const page = await readQueue(deps, query)
  const { limit: _limit, ...given } = query
  const parameters = Object.keys(given).filter((name) => given[name as keyof typeof given] !== undefined)
  const details = { parameters, ids: page.items.map(({ id }) => id) }
  const action = { by: administrator, subject: 'listings', action: 'listings.viewed', details } as const
  await deps.journal.commit([deps.journal.record(newAction(deps.newId, action))])
  return page
}

async function readQueue(deps: Deps, query: z.infer<typeof QueueQuery>) {
  const { cursor, agent } = query
  // An agent's listings of every status are listed unless one is asked for.
  const queuedStatus = query.status ?? 'PENDING_REVIEW'
  const status = agent === undefined ? queuedStatus : query.status
  const list = { list: 'moderation', filters: { status, agent }, position: z.string() }
  return answerPage(deps.cursors, list, cursor, async (after) => {
    const { items, next } = await (agent === undefined
      ? queued(deps, queuedStatus, query.limit, after)
      : ofAgent(deps, agent, query.limit, after))
    const shown = items.filter((listing) => isListed(listing, status))
    const owners = await deps.accounts.getMany(shown.map(({ agentId }) => agentId))
    const ownerById = new Map(owners.map((owner) => [owner.id, owner]))
    const reportsAndClaims = await deps.reportsAndClaims(shown.map(({ id }) => id))
    return pageThatFits(
      { items: shown, next },
      (listing) => (agent === undefined ? positionInQueue(listing) : listing.id),
      (listing) => view(deps, listing, ownerById.get(listing.agentId), reportsAndClaims.get(listing.id)),
    )
  })
}

const queued = ({ listings }: Deps, status: ListingStatus, limit: number, after: string | undefined) =>
  listings.queued(listsOf(status), { limit, after })

/** Reads the listings of an agent. A malformed id has none. */
async function ofAgent(
  { listings }: Deps,
  agent: string,
  limit: number,
  after: string | undefined,
): Promise<Page<Listing, string>> {
  const { data: agentId } = UserId.safeParse(agent)
  if (!agentId) return { items: [], next: undefined }
  return listings.byAgent(agentId, { limit, after: ListingId.optional().parse(after) })
}

/** Whether a listing is of the status that is listed. Listings with a pending revision are listed with those in review. */
const isListed = (listing: Listing, status: ListingStatus | undefined): boolean =>
  status === undefined ||
  listing.status === status ||
  (status === 'PENDING_REVIEW' && waitingSince(listing) !== null)

async function view(
  { links, now }: Deps,
  listing: Listing,
  owner: Account | undefined,
  reportsAndClaim: ReportsAndClaim = { reportCount: 0, claimedBy: null },
) {
  const shown = await viewListing(listing, owner, 'administrator', links)
  return {
    ...shown,
    ...reportsAndClaim,
    agent: { ...shown.agent, kycStatus: owner ? currentStatus(owner.kyc, now()) : null },
    waitingSince: waitingSince(listing),
    reasons: listing.reasons,
    message: listing.message,
    note: listing.note,
    revision: viewRevision(listing),
  }
}
