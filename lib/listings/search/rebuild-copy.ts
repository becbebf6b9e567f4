import { type Account, eligibleUntil } from '#lib/accounts/account'
import type { UserLists } from '#lib/accounts/user-lists'
import type { ListingId } from '#lib/kernel/id'
import { PAGE_SIZE } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import type { ListingReader } from '../listing-store.ts'
import { openCopy, type SearchCopy } from './copy.ts'
import { wholeChangeOf } from './search-row.ts'
import type { Opened } from './snapshots.ts'

export type RebuildDeps = {
  users: Pick<UserLists, 'page'>
  listings: ListingReader
  /** The machine's clock, by which the log is written, in milliseconds since 1970. */
  machineTime: () => number
}

/** The number of agents that are copied at once. */
const WIDTH = 4

/**
 * Makes the search's copy from the stored listings, agent by agent. Its position in the log of changes is the start of
 * the run, so that the changes made during the run are applied to the copy later.
 */
export async function rebuildCopy(deps: RebuildDeps): Promise<Opened> {
  const position = deps.machineTime()
  const copy = openCopy()
  for (let after: string | undefined; ; ) {
    const page = await deps.users.page({ list: 'ALL', limit: PAGE_SIZE, after })
    await inParallel(page.items, (user) => copyAgent(deps, copy, user, position), { width: WIDTH })
    if (page.next === undefined) return { copy, position }
    after = page.next
  }
}

async function copyAgent(
  { listings }: RebuildDeps,
  copy: SearchCopy,
  user: Account,
  at: number,
): Promise<void> {
  if (!user.agent) return
  const until = eligibleUntil(user)
  copy.apply([{ subject: user.id, version: user.eligibilityRevision, until }], at)
  for (let after: ListingId | undefined; ; ) {
    const { items, next } = await listings.byAgent(user.id, { limit: PAGE_SIZE, after })
    const changes = items.map(wholeChangeOf)
    copy.apply(
      changes.filter(({ row }) => row !== null),
      at,
    )
    if (next === undefined) return
    after = next
  }
}
