import * as z from 'zod'
import { type Account, Phone } from '#lib/accounts/account'
import type { AccountFinder } from '#lib/accounts/account-store'
import { namesOf, type UserListQuery, type UserLists } from '#lib/accounts/user-lists'
import { type Journal, newListAction } from '#lib/journal/journal'
import type { ConsoleRole } from '#lib/kernel/console-role'
import { beginsEach, rarestBeginning, wordsOf } from '#lib/kernel/folded-text'
import type { NewId } from '#lib/kernel/id'
import { queryText } from '#lib/kernel/query-text'
import { text } from '#lib/kernel/text'
import { paymentOfReceipt } from '#lib/payments/receipt-number'
import { type FindDeps, findById } from './find-by-id.ts'
import { foundListing, foundUser, SearchHit } from './found.ts'

/** The most things that a search finds. */
const FOUND_MAX = 20

/** The most entries of a list that a search reads by one word. Those without the other words are left out. */
const READ_MAX = 100

/** The text to search for. */
export const SearchQuery = z.object({
  q: queryText(text({ max: 255 })).meta({
    description:
      'An id, an e-mail, a telephone number, words of a name or of a listing’s title, each the beginning of one, a provider’s reference',
  }),
})

export const SearchResult = z.object({ items: z.array(SearchHit).max(FOUND_MAX) })

type Deps = FindDeps & {
  accounts: AccountFinder
  userLists: UserLists
  journal: Journal
  newId: NewId
}

/**
 * Finds at most 20 results for a text: first by id or receipt number, then users by e-mail and telephone number, payments
 * by reference, and users and listings by words. Leaves out results that the roles may not read. Each of these searches
 * reads by key, or reads the first page of a list. The journal records the search.
 */
export async function search(
  deps: Deps,
  { subject: administrator, roles }: { subject: string; roles: readonly ConsoleRole[] },
  { q }: z.infer<typeof SearchQuery>,
): Promise<z.infer<typeof SearchResult>> {
  const found = await Promise.all([
    findById(deps, paymentOfReceipt(q) ?? q),
    usersByEmail(deps, q),
    usersByPhone(deps, q),
    byReference(deps, q),
    usersByName(deps, q),
    listingsByTitle(deps, q),
  ])
  const readable = found
    .flatMap((each) => each ?? [])
    .filter(({ type }) => READERS[type].some((role) => roles.includes(role)))
  const byId = new Map(readable.map((each) => [each.id, each]))
  const items = [...byId.values()].slice(0, FOUND_MAX)
  const action = { by: administrator, subject: 'search', action: 'search.made' } as const
  const ids = items.map(({ id }) => id)
  await deps.journal.commit([deps.journal.record(newListAction(deps.newId, action, { q }, ids))])
  return { items }
}

/** The roles that may read each type. */
const READERS: Record<SearchHit['type'], readonly ConsoleRole[]> = {
  user: ['identities', 'support', 'auditor'],
  listing: ['moderation', 'auditor'],
  enquiry: ['moderation', 'auditor'],
  payment: ['payments', 'auditor'],
  callback: ['payments', 'auditor'],
  payout: ['payments', 'auditor'],
  event: ['integrations', 'auditor'],
}

async function usersByEmail({ accounts }: Deps, q: string): Promise<SearchHit[]> {
  const account = q.includes('@') ? await accounts.byEmail(q) : undefined
  return account ? [foundUser(account)] : []
}

async function usersByPhone({ userLists }: Deps, q: string): Promise<SearchHit[]> {
  const phone = Phone.safeParse(q).data
  if (phone === undefined) return []
  return (await firstPage(userLists, { list: 'PHONE', beginsWith: `${phone}#` })).map(foundUser)
}

async function usersByName({ userLists }: Deps, q: string): Promise<SearchHit[]> {
  const words = wordsOf(q)
  if (words.length === 0) return []
  const accounts = await firstPage(userLists, { list: 'NAME', beginsWith: rarestBeginning(words) })
  return accounts.filter((account) => beginsEach(words, namesOf(account))).map(foundUser)
}

async function listingsByTitle({ listings }: Deps, q: string): Promise<SearchHit[]> {
  const words = wordsOf(q)
  if (words.length === 0) return []
  const titled = await listings.titled(rarestBeginning(words))
  return titled.filter(({ title }) => beginsEach(words, title ?? '')).map(foundListing)
}

const firstPage = async (
  userLists: UserLists,
  query: Pick<UserListQuery, 'list' | 'beginsWith'>,
): Promise<Account[]> => (await userLists.page({ ...query, limit: READ_MAX, after: undefined })).items

/** Payments that a provider knows by a reference, and callbacks that wait for one. */
async function byReference(deps: Deps, q: string): Promise<SearchHit[]> {
  const ids = await deps.references.ofReference(q, FOUND_MAX)
  const found = await Promise.all(ids.map((id) => findById(deps, id)))
  return found.flatMap((each) => each ?? [])
}
