import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { CurrencyView, listCurrencies } from '#lib/payments/checkout/list-currencies'

export const { spec, handler } = endpoint({
  route: 'GET /currencies',
  summary: 'The currencies that money here can be in',
  access: 'public',
  output: { 200: pageOf(CurrencyView) },
  caching: 'public',
  deps: {},
  run: () => listCurrencies(),
})
