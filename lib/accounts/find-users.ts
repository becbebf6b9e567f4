import * as z from 'zod'
import type { Clock } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { answerPage, PageQuery } from '#lib/kernel/page'
import { AccountStatus } from './account.ts'
import type { AccountStore } from './account-store.ts'
import { administeredUser } from './administered-user.ts'
import type { Directory } from './directory.ts'
import { KycStatus } from './kyc-state.ts'

/** Which users to find; what is given must all hold. */
export const UserQuery = PageQuery.extend({
  email: z.string().trim().max(254).optional(),
  kycStatus: KycStatus.optional(),
  status: AccountStatus.optional(),
})

type Deps = { accounts: Pick<AccountStore, 'byEmail'>; directory: Directory; cursors: Cursors; now: Clock }

/**
 * Users, newest first; of one KYC status, whoever was decided or has begun to wait last comes first. An e-mail
 * address finds its one user, whatever its letter case.
 */
export async function findUsers(deps: Deps, { limit, cursor, ...filters }: z.infer<typeof UserQuery>) {
  const { cursors, now } = deps
  const { kycStatus, status } = filters
  return answerPage(cursors, { list: 'users', filters, position: z.string() }, cursor, async (after) => {
    const { items, next } = await matches(deps, filters, limit, after)
    const users = items
      .map((account) => administeredUser(account, now()))
      .filter((user) => kycStatus === undefined || user.kycStatus === kycStatus)
      .filter((user) => status === undefined || user.status === status)
    return { items: users, next }
  })
}

type Filters = Omit<z.infer<typeof UserQuery>, 'limit' | 'cursor'>

async function matches(deps: Deps, filters: Filters, limit: number, after: string | undefined) {
  const { email, kycStatus, status } = filters
  if (email !== undefined) {
    const account = await deps.accounts.byEmail(email)
    return { items: account ? [account] : [], next: undefined }
  }
  // The banned are the fewest, by far.
  const list = status === 'BANNED' ? 'BANNED' : (kycStatus ?? 'ALL')
  return deps.directory.page({ list, limit, after, descending: true })
}
