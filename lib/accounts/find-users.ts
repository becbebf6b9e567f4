import * as z from 'zod'
import { type Journal, newListAction } from '#lib/journal/journal'
import type { Clock } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { beginsEach, rarestBeginning, wordsOf } from '#lib/kernel/folded-text'
import type { NewId } from '#lib/kernel/id'
import { type Page, PageQuery } from '#lib/kernel/page'
import { type Account, AccountStatus, EMAIL_MAX_LENGTH, emailKeyOf, Phone } from './account.ts'
import type { AccountFinder } from './account-store.ts'
import { administeredUser } from './administered-user.ts'
import { currentStatus, KycStatus } from './kyc-state.ts'
import { namesOf, phonesOf, type UserListQuery, type UserLists } from './user-lists.ts'

/** A telephone number in a query: a leading blank is a `+` that a URL did not escape. */
const PhoneQuery = z.preprocess(
  (value) => (typeof value === 'string' ? value.replace(/^ /, '+') : value),
  Phone,
)

/** Which users to find; what is given must all hold. */
export const UserQuery = PageQuery.extend({
  email: z.string().trim().max(EMAIL_MAX_LENGTH).optional(),
  phone: PhoneQuery.optional(),
  name: z
    .string()
    .trim()
    .min(1)
    .max(120)
    .refine((name) => wordsOf(name).length > 0, 'A letter or a digit is needed')
    .optional()
    .meta({ description: 'Words, each the beginning of a word of the name or of the agent’s `displayName`' }),
  kycStatus: KycStatus.optional(),
  status: AccountStatus.optional(),
  provenSince: z.enum(['true', 'false']).optional().meta({
    description:
      '`true`: only banned users who verified their e-mail after the ban. Somebody else may have registered the address before, and been banned',
  }),
})

type Deps = {
  accounts: AccountFinder
  userLists: UserLists
  cursors: Cursors
  journal: Journal
  now: Clock
  newId: NewId
}

const LIST = 'users'

/**
 * Lists users, newest first; with a KYC status, by the latest decision or start of waiting; by name, sorted by
 * the matching word. An e-mail address finds its one user in any letter case. The journal records who searched.
 */
export async function findUsers(deps: Deps, administrator: string, query: z.infer<typeof UserQuery>) {
  const page = await readUsers(deps, query)
  const action = { by: administrator, subject: 'users', action: 'users.listed' } as const
  const ids = page.items.map(({ id }) => id)
  await deps.journal.commit([deps.journal.record(newListAction(deps.newId, action, query, ids))])
  return page
}

async function readUsers(deps: Deps, { limit, cursor, ...filters }: z.infer<typeof UserQuery>) {
  const { accounts, userLists, cursors, now } = deps
  const after = cursors.open(LIST, filters, cursor, z.string())
  const { email } = filters
  const { items, next } = await (email === undefined
    ? userLists.page({ ...listFor(filters), limit, after })
    : pageByEmail(accounts, email))
  const found = items.filter((account) => matches(account, filters, now()))
  return {
    items: found.map((account) => administeredUser(account, now())),
    nextCursor: next === undefined ? null : cursors.seal(LIST, filters, next),
  }
}

async function pageByEmail(accounts: AccountFinder, email: string): Promise<Page<Account, string>> {
  const account = await accounts.byEmail(email)
  return { items: account ? [account] : [], next: undefined }
}

type Filters = Omit<z.infer<typeof UserQuery>, 'limit' | 'cursor'>

/** Chooses the shortest list that contains every match; `matches` then filters it. */
function listFor({
  phone,
  name,
  kycStatus,
  status,
  provenSince,
}: Filters): Omit<UserListQuery, 'limit' | 'after'> {
  // An entry of this list is a complete telephone number, `#` and the user's id.
  if (phone !== undefined) return { list: 'PHONE', beginsWith: `${phone}#` }
  if (name !== undefined) return { list: 'NAME', beginsWith: rarestBeginning(wordsOf(name)) }
  const isBanned = status === 'BANNED' || provenSince === 'true'
  return { list: isBanned ? 'BANNED' : (kycStatus ?? 'ALL'), descending: true }
}

const matches = (
  account: Account,
  { email, phone, name, kycStatus, status, provenSince }: Filters,
  now: Date,
): boolean =>
  (email === undefined || emailKeyOf(account.email) === emailKeyOf(email)) &&
  (phone === undefined || phonesOf(account).has(phone)) &&
  (name === undefined || beginsEach(wordsOf(name), namesOf(account))) &&
  (kycStatus === undefined || currentStatus(account.kyc, now) === kycStatus) &&
  (status === undefined || account.status === status) &&
  (provenSince === undefined || isProvenSinceBan(account) === (provenSince === 'true'))

/** Whether a banned user proved their address after the ban. */
const isProvenSinceBan = ({ bannedAt, provenAt }: Account): boolean =>
  bannedAt !== null && provenAt !== null && provenAt > bannedAt
