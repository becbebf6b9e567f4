import { withUsesTestedElsewhere } from '#lib/config/config'
import { callbackStore } from '#lib/payments/callbacks/callback-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { paymentChangeStores } from './payment-change-stores.dynamo.ts'

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
      'commit',
    ),
    BECAUSE,
  ),
  callbacks: withUsesTestedElsewhere(
    callbackStore.only('get', 'insert', 'wait', 'waiting', 'close'),
    BECAUSE,
  ),
}
