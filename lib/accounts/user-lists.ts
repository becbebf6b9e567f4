import { listedWords } from '#lib/kernel/folded-text'
import type { Page } from '#lib/kernel/page'
import type { Account } from './account.ts'
import type { KycStatus } from './kyc-state.ts'

/**
 * The administrators' lists of users: all, by KYC status, waiting for a decision, banned, by telephone number, and by
 * the words of a name.
 */
export type UserListName = 'ALL' | 'BANNED' | 'WAITING' | 'PHONE' | 'NAME' | KycStatus

/** An entry of a list. `order` is its sort key, unique in the list. */
type UserListEntry = { list: UserListName; order: string }

/**
 * The number of words of a name that are listed. With many more, the restoration of another name to an account with
 * everything it can have would not fit into one transaction of 100 writes.
 */
const NAME_WORDS_MAX = 20

/**
 * Returns an account's entries in the lists. Everyone and the banned are sorted by age, those who wait for review by
 * the start of the wait. A KYC status is sorted by that or else by the decision. Telephone numbers and names are listed
 * too, those of the agent profile included.
 */
export function userListEntries(account: Account): UserListEntry[] {
  const { id, status, kyc, createdAt } = account
  const since = kyc.waitingSince ?? kyc.decidedAt ?? createdAt
  return [
    { list: 'ALL', order: id },
    { list: kyc.status, order: `${since}#${id}` },
    ...(kyc.waitingSince ? [{ list: 'WAITING' as const, order: `${kyc.waitingSince}#${id}` }] : []),
    ...(status === 'BANNED' ? [{ list: 'BANNED' as const, order: id }] : []),
    ...[...phonesOf(account)].map((phone) => ({ list: 'PHONE' as const, order: `${phone}#${id}` })),
    ...listedWords(namesOf(account), NAME_WORDS_MAX).map((word) => ({
      list: 'NAME' as const,
      order: `${word}#${id}`,
    })),
  ]
}

/** Returns every telephone number that an account can be found by. */
export const phonesOf = ({ phone, agent }: Account): Set<string> =>
  new Set([phone, agent?.phone].filter((number) => typeof number === 'string'))

/** Returns the names that an account can be found by, a line each. */
export const namesOf = ({ name, agent }: Account): string => `${name ?? ''}\n${agent?.displayName ?? ''}`

/** Which part of a list to read. */
export type UserListQuery = {
  list: UserListName
  limit: number
  /** The `order` of the last entry seen. */
  after: string | undefined
  descending?: boolean
  /** Only entries whose `order` begins with this. */
  beginsWith?: string
}

/**
 * The administrators' lists. A page follows the accounts as they are now: an outdated entry is left out, and an account
 * with several matching entries appears once. A page takes four queries, and one read of at most 100 accounts.
 */
export type UserLists = { page: (query: UserListQuery) => Promise<Page<Account, string>> }
