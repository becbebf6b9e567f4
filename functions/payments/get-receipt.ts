import { userOrAdministrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys, limitApiKeyToAgentSide } from '#lib/accounts/api-keys/access'
import { hmacKeys } from '#lib/config/keys'
import { endpoint } from '#lib/http/endpoint'
import { orPage } from '#lib/http/reply'
import { clock, ids, settings } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { PaymentId } from '#lib/kernel/id'
import { localeFor } from '#lib/kernel/locale'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { receiptPage } from '#lib/notifications/receipt-page'
import { brand } from '#lib/pages/brand'
import { paymentReader } from '#lib/payments/payment-store.dynamo'
import { agentUnlessPayer, getLinkedReceipt, LinkedReceipt } from '#lib/payments/receipts/receipt'

export const { spec, handler } = endpoint({
  route: 'GET /payments/{id}/receipt',
  summary: 'The receipt of a payment',
  description:
    'For the payer, the owner of the listing and administrators, once the payment has succeeded. With `Accept: text/html` ' +
    'the receipt is a page to print, in the language of the reader. `link` opens that page for five minutes without a credential. ' +
    'The journal records every reading by an administrator.',
  access: userOrAdministrator(['payments']),
  apiKeys: apiKeys('payments:read'),
  input: { params: { id: PaymentId } },
  output: { 200: orPage(LinkedReceipt) },
  deps: {
    payments: paymentReader,
    listings: listingReader,
    accounts: accountReader,
    hmacKeys,
    settings,
    journal,
    now: clock,
    newId: ids,
    brand,
  },
  run: async ({ actor, params, request }, deps) => {
    const locale = actor.kind === 'user' ? actor.account.locale : localeFor(request.acceptLanguage)
    const payments = limitApiKeyToAgentSide(actor, deps.payments, agentUnlessPayer)
    const view = await getLinkedReceipt({ ...deps, payments }, actor, params.id, locale)
    return { view, page: (shown) => receiptPage(shown, { locale, brand: deps.brand }) }
  },
})
