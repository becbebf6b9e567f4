import { withUsesTestedElsewhere } from '#lib/config/config'
import { paymentChangeStores } from '#lib/payment-requests/payment-change-stores.dynamo'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'

const BECAUSE = 'most of this serves only a callback that came before its payment was stored'

/** The stores that a new payment is stored in, and those that an early callback changes. */
export const checkoutStores = {
  ...paymentChangeStores,
  payments: withUsesTestedElsewhere(
    paymentStore.only(
      'get',
      'byReference',
      'countOpen',
      'insert',
      'save',
      'unchanged',
      'recordMove',
      'post',
      'commit',
    ),
    BECAUSE,
  ),
  callbacks: withUsesTestedElsewhere(
    callbackStore.only('get', 'insert', 'wait', 'waiting', 'close'),
    BECAUSE,
  ),
}
