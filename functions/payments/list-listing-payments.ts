import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { PageQuery, pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { ListingPayment, listListingPayments } from '#lib/payments/lists/list-listing-payments'
import { paymentReader } from '#lib/payments/payment-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /listings/{id}/payments',
  summary: 'The payments on a listing, newest first',
  description: 'For the owner of the listing. Only payments that have succeeded.',
  access: user,
  apiKeys: apiKeys('payments:read'),
  input: { params: { id: ListingId }, query: PageQuery },
  output: { 200: pageOf(ListingPayment) },
  problems: ['invalid_cursor', 'forbidden'],
  deps: { payments: paymentReader, listings: listingReader, accounts: accountReader, cursors, now: clock },
  run: ({ actor, params, query }, deps) => listListingPayments(deps, actor.userId, params.id, query),
})
