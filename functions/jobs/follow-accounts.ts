import type { DynamoDBStreamEvent } from 'aws-lambda'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { StandingChange } from '#lib/accounts/standing.dynamo'
import { idempotencyStore } from '#lib/dynamo/idempotency.dynamo'
import { followInOrder, newImages } from '#lib/dynamo/stream'
import { job } from '#lib/http/job'
import { clock, ids } from '#lib/http/runtime'
import { documentFiles } from '#lib/kyc/document-files.s3'
import { kycRecords } from '#lib/kyc/kyc-records.dynamo'
import { followStanding } from '#lib/listings/follow-standing'
import { listingStore } from '#lib/listings/listing-store.dynamo'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { Deletion } from '#lib/privacy/deletion'
import { deletions } from '#lib/privacy/deletions.dynamo'
import { eraseAccount } from '#lib/privacy/erase-account'
import { exportFiles } from '#lib/privacy/export-files.s3'

export const { spec, handler } = job({
  name: 'followAccounts',
  summary: "Lets listings follow their agent's standing, and erases what is left of accounts that have ended",
  deps: {
    accounts: accountStore,
    listings: listingStore,
    payments: paymentStore,
    records: kycRecords,
    files: documentFiles,
    exports: exportFiles,
    answers: idempotencyStore,
    deletions,
    now: clock,
    newId: ids,
  },
  run: (event: DynamoDBStreamEvent, deps) =>
    followInOrder(newImages(event), async ({ item }) =>
      item['kind'] === 'deletion'
        ? eraseAccount(deps, Deletion.parse(item).userId)
        : followStanding(deps, StandingChange.parse(item).userId),
    ),
})
