import { administrator } from '#lib/accounts/access'
import { endpoint } from '#lib/http/endpoint'
import { ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PayoutId } from '#lib/kernel/id'
import { getPayout } from '#lib/payouts/list-payouts'
import { PayoutView } from '#lib/payouts/payout'
import { payoutReader } from '#lib/payouts/payout-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payouts/{id}',
  summary: 'A payout',
  description: 'The journal records every reading.',
  access: administrator(['payments']),
  input: { params: { id: PayoutId } },
  output: { 200: PayoutView },
  problems: ['not_found'],
  deps: { payouts: payoutReader, journal, newId: ids },
  run: ({ actor, params }, deps) => getPayout(deps, actor.subject, params.id),
})
