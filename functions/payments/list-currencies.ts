import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { CurrencyView, listCurrencies } from '#lib/payments/checkout/list-currencies'

export const { spec, handler } = endpoint({
  route: 'GET /currencies',
  summary: 'The currencies that money here can be in',
  description:
    'Every one that a sum here can be in, in one page. An amount is in minor units: `exponent` says how many ' +
    'digits of it stand behind the point (XOF 0, USD 2, KWD 3).',
  access: 'public',
  output: { 200: pageOf(CurrencyView) },
  caching: 'public',
  deps: {},
  run: () => listCurrencies(),
})
