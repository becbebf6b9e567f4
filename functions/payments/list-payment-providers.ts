import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { listProviders, ProviderView } from '#lib/payments/checkout/list-providers'
import { paymentProviders } from '#lib/payments/provider/registry'

export const { spec, handler } = endpoint({
  route: 'GET /payment-providers',
  summary: 'The payment providers that are switched on',
  access: 'public',
  output: { 200: pageOf(ProviderView) },
  deps: { providers: paymentProviders },
  run: async (_, deps) => ({ status: 200, body: await listProviders(deps) }),
})
