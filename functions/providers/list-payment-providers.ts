import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { listProviders, ProvidersQuery, ProviderView } from '#lib/providers/list-providers'
import { paymentProviders } from '#lib/providers/registry'

export const { spec, handler } = endpoint({
  route: 'GET /payment-providers',
  summary: 'The payment providers that are switched on',
  description:
    'Filters given together must all hold: the providers that are listed would take such a payment. A provider without ' +
    'countries is listed for every country.',
  access: 'public',
  input: { query: ProvidersQuery },
  output: { 200: pageOf(ProviderView) },
  caching: 'without credential',
  deps: { providers: paymentProviders },
  run: ({ query }, deps) => listProviders(deps, query),
})
