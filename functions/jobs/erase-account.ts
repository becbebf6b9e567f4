import type { DynamoDBStreamEvent } from 'aws-lambda'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { eraseAccounts } from '#lib/accounts/erase-account'
import { idempotencyStore } from '#lib/dynamo/idempotency-store'
import { newImages } from '#lib/dynamo/stream'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { privateFiles } from '#lib/kyc/private-files.s3'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = job({
  name: 'eraseAccount',
  summary: 'Erases what is left of accounts that have ended',
  deps: {
    accounts: accountStore,
    listings: listingStore,
    payments: paymentStore,
    records: kycRecords,
    files: privateFiles,
    answers: idempotencyStore,
    now: clock,
    newId: ids,
  },
  run: (event: DynamoDBStreamEvent, deps) =>
    eraseAccounts(
      deps,
      newImages(event).map(({ item }) => item),
    ),
})
