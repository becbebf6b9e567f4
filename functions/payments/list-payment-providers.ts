import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { listProviders, ProviderView } from '#lib/payments/checkout/list-providers'
import { paymentProviders } from '#lib/payments/provider/registry'

export const { spec, handler } = endpoint({
  route: 'GET /payment-providers',
  summary: 'The payment providers that are switched on',
  access: 'public',
  output: { 200: pageOf(ProviderView) },
  caching: 'public',
  deps: { providers: paymentProviders },
  run: (_, deps) => listProviders(deps),
})
