import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { clock } from '#lib/http/runtime'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { receiptPage, receiptRefused } from '#lib/notifications/receipt-page'
import { brand } from '#lib/pages/brand'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { getReceipt } from '#lib/payments/receipts/receipt'
import { ReceiptLinkQuery, readReceiptLink } from '#lib/payments/receipts/receipt-link'

export const { spec, handler } = endpoint({
  route: 'GET /receipt',
  summary: 'The page of a receipt, by its link',
  description: 'Opens for five minutes, without a credential. `GET /payments/{id}/receipt` makes the link.',
  access: 'public',
  input: { query: ReceiptLinkQuery },
  output: { 200: content('text/html; charset=utf-8') },
  problems: ['invalid_token', 'not_found'],
  deps: {
    payments: paymentReader,
    listings: listingReader,
    accounts: accountReader,
    hmacKeys,
    now: clock,
    brand,
  },
  refusalPage: receiptRefused,
  run: async ({ query }, deps) => {
    const { id, locale } = await readReceiptLink(deps, query.token)
    return receiptPage(await getReceipt(deps, { kind: 'link' }, id), { locale, brand: deps.brand })
  },
})
