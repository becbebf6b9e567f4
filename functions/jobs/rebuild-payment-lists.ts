import { accountStore } from '#lib/accounts/account-store.dynamo'
import { rebuildPaymentLists } from '#lib/administration/rebuild-payment-lists'
import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = job({
  name: 'rebuildPaymentLists',
  summary:
    'Writes the list entries that payments of the first edition lack; run it again until it answers `isDone`',
  deps: { payments: paymentStore, listings: listingStore, accounts: accountStore, progress, now: clock },
  run: (_event, deps) => rebuildPaymentLists(deps),
})
