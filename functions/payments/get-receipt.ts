import { userOrAdministrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { readerLocale } from '#lib/accounts/reader-locale'
import { endpoint } from '#lib/http/endpoint'
import { orPage } from '#lib/http/reply'
import { PaymentId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { receiptPage } from '#lib/notifications/receipt-page'
import { paymentStore } from '#lib/payments/payment-store.dynamo'
import { getReceipt, Receipt } from '#lib/payments/receipts/receipt'

export const { spec, handler } = endpoint({
  route: 'GET /payments/{id}/receipt',
  summary: 'The receipt of a payment',
  description:
    'For its payer, the owner of its listing and administrators, once it has succeeded. With `Accept: text/html` it is a ' +
    'page fit to print, in the language of the reader. The number is made of the payment’s id.',
  access: userOrAdministrator,
  input: { params: { id: PaymentId } },
  output: { 200: orPage(Receipt) },
  deps: { payments: paymentStore, listings: listingReader, accounts: accountReader },
  run: async ({ actor, params, request }, deps) => ({
    view: await getReceipt(deps, actor, params.id),
    page: (receipt) => receiptPage(receipt, readerLocale(actor, request.acceptLanguage)),
  }),
})
