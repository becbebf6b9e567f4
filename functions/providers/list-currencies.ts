import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { CurrencyView, listCurrencies } from '#lib/providers/list-currencies'

export const { spec, handler } = endpoint({
  route: 'GET /currencies',
  summary: 'The currencies of the service',
  description:
    'All of them in one page. An amount is in minor units: `exponent` is the number of its digits after the decimal ' +
    'point (XOF 0, USD 2, KWD 3).',
  access: 'public',
  output: { 200: pageOf(CurrencyView) },
  caching: 'without credential',
  deps: {},
  run: () => listCurrencies(),
})
