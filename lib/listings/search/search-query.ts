import * as z from 'zod'
import { PageQuery } from '#lib/kernel/page'
import { queryList } from '#lib/kernel/query-list'
import { queryNumber } from '#lib/kernel/query-number'
import { checkFilters, FILTER_PARAMETERS } from './filters.ts'

/** The number of listings of a page without a limit in the query. */
export const LIMIT_DEFAULT = 20

/** The orders of a page. Ties are sorted by id, descending. */
export const SearchOrder = z.enum(['newest', 'price', '-price', 'area', '-area', 'distance'])
export type SearchOrder = z.infer<typeof SearchOrder>

/** The search of customers. A price in the query is in minor units of `currency`. */
export const SearchQuery = z
  .object({
    limit: queryNumber(z.number().int().min(1).max(100).optional()).meta({ default: LIMIT_DEFAULT }),
    cursor: PageQuery.shape.cursor,
    ids: queryList(z.string(), 50).meta({
      description: 'Repeatable: only these listings, in this order. Only `view` may be given with it',
    }),
    view: z.enum(['full', 'card']).optional().meta({ description: '`full` by default' }),
    ...FILTER_PARAMETERS,
    sort: SearchOrder.optional().meta({ description: '`distance` by default with `near`, else `newest`' }),
  })
  .superRefine((query, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, input: undefined })
    const { ids, view: _view, ...others } = query
    if (ids !== undefined && Object.values(others).some((value) => value !== undefined))
      refuse('ids', 'takes no other parameter than view beside it')
    checkFilters(query, refuse)
    const { sort, near, currency } = query
    if (sort === 'distance' && near === undefined) refuse('sort', 'is by distance only with near')
    if ((sort === 'price' || sort === '-price') && currency === undefined)
      refuse('currency', 'is needed to compare prices')
  })
