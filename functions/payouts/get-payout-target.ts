import { administrator } from '#lib/accounts/access'
import { dataKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PayoutId } from '#lib/kernel/id'
import { getPayoutTarget, PayoutTargetView } from '#lib/payouts/get-payout-target'
import { payoutReader } from '#lib/payouts/payout-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payouts/{id}/account',
  summary: 'The account that a payout by hand goes to',
  description: 'For whoever makes the transfer: not for auditors. The journal records every reading.',
  access: administrator(['payments'], { signIn: 'fresh' }),
  input: { params: { id: PayoutId } },
  output: { 200: PayoutTargetView },
  problems: ['not_found', 'payout_transition_not_allowed'],
  deps: { payouts: payoutReader, dataKeys, journal, newId: ids },
  run: ({ actor, params }, deps) => getPayoutTarget(deps, actor, params.id),
})
