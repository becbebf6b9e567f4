import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { rebuildPaymentLists } from '#lib/administration/rebuild-payment-lists'
import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = job({
  name: 'rebuildPaymentLists',
  summary:
    'Writes the list entries that payments of the first edition lack; run it again until it answers `isDone`',
  deps: { payments: paymentStore, listings: listingReader, accounts: accountReader, progress, now: clock },
  run: (_event, deps) => rebuildPaymentLists(deps),
})
