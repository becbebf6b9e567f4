import { administrator, demandFreshSignInIf } from '#lib/accounts/access'
import { withUsesTestedElsewhere } from '#lib/config/config'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids, settings } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { CallbackId } from '#lib/kernel/id'
import { withFollowers } from '#lib/payment-requests/followers'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { CallbackView } from '#lib/payments/callbacks/callback-view'
import { CallbackResolution, resolveCallback } from '#lib/payments/callbacks/resolve-callback'
import { paymentProviders } from '#lib/providers/registry'

const BECAUSE = 'applies callbacks with the code of paymentCallback, whose tests use these permissions'

export const { spec, handler } = endpoint({
  route: 'POST /admin/payments/callbacks/{id}/resolve',
  summary: 'Resolve a callback that an administrator must look at',
  description:
    'The same resolution again answers the same. Any other action, or a callback in another state, is a 409.',
  access: administrator(['payments']),
  input: { params: { id: CallbackId }, body: CallbackResolution },
  output: { 200: CallbackView },
  problems: ['callback_not_resolvable', 'step_up_required', 'unavailable'],
  deps: {
    ...paymentChangeStores,
    callbacks: withUsesTestedElsewhere(
      callbackStore.only('get', 'insert', 'wait', 'waiting', 'close'),
      BECAUSE,
    ),
    providers: paymentProviders,
    journal: journal.only('record'),
    settings,
    now: clock,
    newId: ids,
  },
  run: ({ actor, params, body }, deps) => {
    demandFreshSignInIf(body.action !== 'DISMISS', deps, actor)
    return resolveCallback(withFollowers(deps), { id: params.id, administrator: actor.subject }, body)
  },
})
