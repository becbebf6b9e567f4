import { administrator } from '#lib/accounts/access'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { CallbackId } from '#lib/kernel/id'
import { withFollowers } from '#lib/payment-requests/followers'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { Replay, ReplayRequest, replayCallback } from '#lib/payments/callbacks/replay-callback'
import { paymentProviders } from '#lib/providers/registry'

const BECAUSE = 'applies callbacks with the code of paymentCallback, whose tests use these permissions'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payments/callbacks/{id}/replay',
  summary: 'Process a callback again',
  description:
    'With `dryRun` it only says what would change. A callback that is PROCESSED or CONFLICT changes nothing. A callback ' +
    'that could not be interpreted is interpreted again from its raw body.',
  access: administrator(['payments']),
  input: { params: { id: CallbackId }, body: ReplayRequest },
  output: { 200: Replay },
  problems: ['unavailable'],
  deps: {
    ...paymentChangeStores,
    callbacks: withUsesTestedElsewhere(
      callbackStore.only('get', 'insert', 'wait', 'waiting', 'close', 'commit'),
      BECAUSE,
    ),
    providers: paymentProviders,
    journal: journal.only('record'),
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) =>
    replayCallback(withFollowers(deps), { id: params.id, administrator: actor.subject }, body),
})
