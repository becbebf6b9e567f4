import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { pageOf } from '#lib/kernel/page'
import { listPayouts, PayoutsQuery } from '#lib/payouts/list-payouts'
import { PayoutView } from '#lib/payouts/payout'
import { payoutReader } from '#lib/payouts/payout-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payouts',
  summary: 'Payouts, newest first',
  description: 'Filters given together must all hold. The journal records every reading.',
  access: administrator(['payments']),
  input: { query: PayoutsQuery },
  output: { 200: pageOf(PayoutView) },
  problems: ['invalid_cursor'],
  deps: { payouts: payoutReader, journal, cursors, newId: ids },
  run: ({ actor, query }, deps) => listPayouts(deps, actor.subject, query),
})
