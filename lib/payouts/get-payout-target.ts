import * as z from 'zod'
import { type Journal, newAction } from '#lib/journal/journal'
import type { ConsoleRole } from '#lib/kernel/console-role'
import { DomainError } from '#lib/kernel/domain-error'
import type { NewId, PayoutId } from '#lib/kernel/id'
import { Currency } from '#lib/kernel/money'
import type { DataKeys } from '#lib/kernel/sealed'
import { MobileNetwork } from '#lib/providers/mobile-networks'
import { allowedMoves } from './payout.ts'
import { unsealTarget } from './payout-account.ts'
import type { PayoutReader } from './payout-store.ts'

/** The whole account that a payout by hand goes to. */
export const PayoutTargetView = z
  .object({
    holder: z.string().meta({ example: 'Awa Koné' }),
    iban: z.string().nullable().meta({ example: 'CI93CI0080111301134291200589' }),
    accountNumber: z.string().nullable().meta({ example: null }),
    bankCode: z.string().nullable().meta({ example: null }),
    phone: z.string().nullable().meta({ example: null }),
    network: MobileNetwork.nullable().meta({ example: null }),
    country: z.string().meta({ example: 'CI' }),
    currency: Currency,
  })
  .meta({ id: 'PayoutTarget' })

type Deps = { payouts: PayoutReader; dataKeys: DataKeys; journal: Journal; newId: NewId }

const NO_ACCOUNT = { iban: null, accountNumber: null, bankCode: null, phone: null, network: null }

/**
 * Returns where an administrator has to send a payout by hand. The journal records the reading. Throws `forbidden` for an
 * auditor, `not_found`, and `payout_transition_not_allowed` unless the payout is PENDING and by hand.
 */
export async function getPayoutTarget(
  deps: Deps,
  { subject, roles }: { subject: string; roles: readonly ConsoleRole[] },
  id: PayoutId,
): Promise<z.infer<typeof PayoutTargetView>> {
  if (!roles.includes('payments')) throw new DomainError('forbidden')
  const payout = await deps.payouts.get(id)
  if (!payout) throw new DomainError('not_found')
  const { status, method, sealed, agentId, country, currency } = payout
  if (status !== 'PENDING' || method !== 'by_hand' || sealed === null) {
    const extensions = { from: status, to: 'PAID', allowed: allowedMoves(payout) }
    throw new DomainError('payout_transition_not_allowed', { extensions })
  }
  const { method: _method, ...target } = await unsealTarget(deps, { agentId, sealed })
  const details = { agentId }
  const action = { by: subject, subject: id, action: 'payout.account_viewed', details } as const
  await deps.journal.commit([deps.journal.record(newAction(deps.newId, action))])
  return { ...NO_ACCOUNT, ...target, country, currency }
}
