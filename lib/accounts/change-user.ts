import * as z from 'zod'
import type { Journal } from '#lib/journal/journal'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, UserId } from '#lib/kernel/id'
import type { Once } from '#lib/kernel/once'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { AccountStatus } from './account.ts'
import type { AccountStore, AccountUpdate } from './account-store.ts'
import { type AdministeredUser, administeredUser } from './administered-user.ts'
import { decideStatus, type StatusDecisions } from './ban.ts'
import { SentListingLimits } from './listing-limits.ts'
import { replaceLimits } from './replace-limits.ts'

/** A ban or its end, or an agent's own limits. A field left out stays as it is. */
export const UserChange = z
  .object({
    status: AccountStatus.optional(),
    reason: text({ max: 1000 }).nullish().meta({ description: 'Of the `status`' }),
    listingLimits: SentListingLimits.nullish().meta({ description: 'Replaced whole' }),
  })
  .meta({ example: { status: 'BANNED', reason: 'Asked for money outside the platform.' } })

type Deps = {
  once: Once<z.input<typeof AdministeredUser>>
  accounts: AccountStore
  statuses: StatusDecisions
  journal: Journal
  now: Clock
  newId: NewId
}

/** Changes what administrators decide about a user, in one transaction with its history. Throws `not_found`. */
export const changeUser = (
  deps: Deps,
  administrator: string,
  id: UserId,
  { status, reason, listingLimits }: z.output<typeof UserChange>,
) =>
  retryConflicts(async () => {
    const account = await deps.accounts.get(id)
    if (!account) throw new DomainError('not_found', { detail: 'There is no such user' })
    const at = timestamp(deps.now())
    const changes = [
      status && decideStatus(deps, administrator, account, { status, reason }, at),
      listingLimits !== undefined && replaceLimits(deps, administrator, account, listingLimits),
    ].filter(isChange)
    if (changes.length === 0) {
      const view = administeredUser(account, deps.now())
      await deps.accounts.commit(deps.once.receipt(view))
      return view
    }

    const changed = changes.reduce((before, { fields }) => ({ ...before, ...fields }), account)
    const next = { ...changed, updatedAt: at }
    const view = administeredUser(next, deps.now())
    await deps.accounts.save(account, next, [
      ...changes.flatMap(({ also }) => also),
      ...deps.once.receipt(view),
    ])
    return view
  })

const isChange = (change: AccountUpdate | undefined | false): change is AccountUpdate => Boolean(change)
