import { directory } from '#lib/accounts/directory.dynamo'
import { nameParts } from '#lib/administration/search/name-parts'
import { progress } from '#lib/dynamo/progress.dynamo'
import { job } from '#lib/http/job'
import { clock } from '#lib/http/runtime'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { references } from '#lib/payments/references/references.dynamo'

export const { spec, handler } = job({
  name: 'nameParts',
  summary:
    'Lets the ids of documents, media and refunds of the first edition be found; run it again until it answers `isDone`',
  deps: {
    directory,
    records: kycRecords,
    listings: listingStore,
    payments: paymentStore,
    references,
    progress,
    now: clock,
  },
  run: (_event, deps) => nameParts(deps),
})
