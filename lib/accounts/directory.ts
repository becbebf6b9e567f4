import type { Page } from '#lib/kernel/page'
import type { Account } from './account.ts'
import type { KycStatus } from './kyc-state.ts'

/** The administrators' lists of users: everyone, by KYC status, who waits for a decision, who is banned. */
export type DirectoryList = 'ALL' | 'BANNED' | 'WAITING' | KycStatus

/** A place in a list; `order` sorts and is unique. */
export type DirectoryEntry = { list: DirectoryList; order: string }

/**
 * Where an account as it is stands listed: everyone and the banned by age, those who wait by how long, and
 * each KYC status by how long they wait, or since the decision where they do not.
 */
export function directoryEntries({ id, status, kyc, createdAt }: Account): DirectoryEntry[] {
  const since = kyc.waitingSince ?? kyc.decidedAt ?? createdAt
  return [
    { list: 'ALL', order: id },
    { list: kyc.status, order: `${since}#${id}` },
    ...(kyc.waitingSince ? [{ list: 'WAITING' as const, order: `${kyc.waitingSince}#${id}` }] : []),
    ...(status === 'BANNED' ? [{ list: 'BANNED' as const, order: id }] : []),
  ]
}

/** Which part of a list to read. */
export type DirectoryQuery = {
  list: DirectoryList
  limit: number
  /** The `order` of the last entry seen. */
  after: string | undefined
  descending?: boolean
}

/**
 * The administrators' lists. A page is decided by the accounts as they are: an entry that an account no longer
 * has is left out. Always four queries and one read of at most 100 accounts.
 */
export type Directory = { page: (query: DirectoryQuery) => Promise<Page<Account, string>> }
