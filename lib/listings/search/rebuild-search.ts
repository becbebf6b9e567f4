import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { Directory } from '#lib/accounts/directory'
import type { Clock } from '#lib/kernel/clock'
import type { ListingId, NewId } from '#lib/kernel/id'
import { inParallel } from '#lib/kernel/parallel'
import type { Progress } from '#lib/kernel/progress'
import { retryConflicts } from '#lib/kernel/retry'
import { isOnline, type Listing } from '../listing.ts'
import type { ListingStore } from '../listing-store.ts'
import { commitReindexed } from './commit-found.ts'
import type { SearchIndex } from './search-index.ts'

type Deps = {
  users: Directory
  listings: ListingStore
  index: SearchIndex
  progress: Progress
  now: Clock
  newId: NewId
}

const JOB = 'rebuild-search'
const PAGE_SIZE = 100
const WIDTH = 4

/** A run starts no further agent after ten minutes; Lambda ends it after fifteen. */
const RUN_SECONDS = 600

/** The user after whom the next run continues. */
const Position = z.object({ after: z.string() })

/**
 * Rewrites the search entries of every listing online, as a new version of each listing. Needed when an entry holds
 * something new, or when entries are to be listed otherwise. Visits the listings agent by agent, so that no listing
 * moves past the job while it runs. A run stops after ten minutes and stores its position; the next run continues
 * there. `isDone` tells that no listing is left. Safe to repeat.
 */
export async function rebuildSearch(deps: Deps): Promise<{ rewritten: number; isDone: boolean }> {
  const { users, progress, now } = deps
  const endsAt = now().getTime() + RUN_SECONDS * 1000
  let after = (await progress.read(JOB, Position))?.after
  for (let rewritten = 0; ; ) {
    const page = await users.page({ list: 'ALL', limit: PAGE_SIZE, after })
    for (const user of page.items) {
      if (now().getTime() >= endsAt) return { rewritten, isDone: false }
      rewritten += await rebuildAgent(deps, user)
      await progress.store(JOB, { after: user.id })
    }
    if (page.next === undefined) {
      await progress.finish(JOB)
      return { rewritten, isDone: true }
    }
    after = page.next
  }
}

async function rebuildAgent(deps: Deps, { id, agent }: Account): Promise<number> {
  if (!agent) return 0
  let rewritten = 0
  for (let after: ListingId | undefined; ; ) {
    const { items, next } = await deps.listings.byAgent(id, { limit: PAGE_SIZE, after })
    const results = await inParallel(items, WIDTH, (listing) => rebuild(deps, listing))
    rewritten += results.filter(Boolean).length
    if (next === undefined) return rewritten
    after = next
  }
}

const rebuild = (deps: Deps, seen: Listing): Promise<boolean> =>
  retryConflicts(async (isRetry) => {
    const listing = isRetry ? await deps.listings.get(seen.id) : seen
    // An offline listing has no entries: they are written when it returns.
    if (!listing || !isOnline(listing)) return false
    const next = { ...listing, version: listing.version + 1 }
    await commitReindexed(deps, next, (committed) => [deps.listings.replace(listing, committed)])
    return true
  })
