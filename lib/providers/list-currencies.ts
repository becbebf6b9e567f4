import * as z from 'zod'
import { Currency, exponentOf } from '#lib/kernel/money'

/** A currency that money here can be in, and how many decimals its own unit has. */
export const CurrencyView = z
  .object({
    code: Currency,
    exponent: z.int().meta({ example: 0, description: '0 for XOF, 2 for USD, 3 for KWD' }),
  })
  .meta({ id: 'CurrencyDetails' })

/** Returns every currency that money here can be in, by code. There is never more than one page. */
export const listCurrencies = () => ({
  items: Currency.options.map((code) => ({ code, exponent: exponentOf(code) })),
  nextCursor: null,
})
