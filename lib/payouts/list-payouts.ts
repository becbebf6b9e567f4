import type * as z from 'zod'
import { type Journal, newAction, newListAction } from '#lib/journal/journal'
import type { Cursors } from '#lib/kernel/cursor'
import { DomainError } from '#lib/kernel/domain-error'
import { type NewId, PayoutId, UserId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import { answerPage, FILTERED_READ_MAX, matchesOf, PageQuery } from '#lib/kernel/page'
import { type Payout, PayoutStatus } from './payout.ts'
import type { PayoutReader } from './payout-store.ts'

/** Which payouts an administrator wants to see. */
export const PayoutsQuery = PageQuery.extend({
  status: PayoutStatus.optional(),
  agentId: UserId.optional(),
  currency: Currency.optional(),
})

type Deps = {
  payouts: PayoutReader
  journal: Journal
  cursors: Cursors
  newId: NewId
}

/** Returns payouts, newest first. The journal records the reading. */
export async function listPayouts(
  deps: Deps,
  administrator: string,
  { limit, cursor, ...filters }: z.infer<typeof PayoutsQuery>,
) {
  const { status, agentId, currency } = filters
  const list = { list: 'payouts', filters, position: PayoutId }
  const page = await answerPage(deps.cursors, list, cursor, async (after) => {
    const span = { limit: FILTERED_READ_MAX, after }
    const found = await (agentId
      ? deps.payouts.byAgent(agentId, span)
      : deps.payouts.list(status ?? 'ALL', span))
    return matchesOf(
      found,
      limit,
      ({ id }) => id,
      (payout) => isAskedFor(payout, { status, currency }),
    )
  })
  const action = { by: administrator, subject: 'payouts', action: 'payouts.listed' } as const
  const ids = page.items.map(({ id }) => id)
  await deps.journal.commit([deps.journal.record(newListAction(deps.newId, action, filters, ids))])
  return page
}

const isAskedFor = (
  payout: Payout,
  { status, currency }: { status: PayoutStatus | undefined; currency: string | undefined },
): boolean =>
  (status === undefined || payout.status === status) &&
  (currency === undefined || payout.currency === currency)

/** Returns a payout. The journal records the reading. Throws `not_found`. */
export async function getPayout(
  deps: Pick<Deps, 'journal' | 'newId'> & { payouts: PayoutReader },
  administrator: string,
  id: PayoutId,
): Promise<Payout> {
  const payout = await deps.payouts.get(id)
  if (!payout) throw new DomainError('not_found')
  const details = { agentId: payout.agentId }
  const action = { by: administrator, subject: id, action: 'payout.viewed', details } as const
  await deps.journal.commit([deps.journal.record(newAction(deps.newId, action))])
  return payout
}
