import * as z from 'zod'
import { UserId } from '#lib/kernel/id'
import { AMOUNT_LIMIT, Currency } from '#lib/kernel/money'
import { PageQuery } from '#lib/kernel/page'
import { queryList } from '#lib/kernel/query-list'
import { queryNumber } from '#lib/kernel/query-number'
import { text } from '#lib/kernel/text'
import { CountryInAnyCase } from '../country.ts'
import { FIELD_MATCHES, FIELD_PARAMETERS, SEARCHED_NAMES } from '../fields.ts'
import { type Sort, sortName } from './lists.ts'
import { cityKey, type SearchEntry } from './search-entry.ts'
import type { Point } from './sphere.ts'

/** How many listings a page has where the query gives no limit. */
export const LIMIT_DEFAULT = 20

const RADIUS_MAX_KM = 200
const RADIUS_DEFAULT_KM = 10

const NEAR = /^ *([+-]?\d{1,3}(?:\.\d{1,20})?) *, *([+-]?\d{1,3}(?:\.\d{1,20})?) *$/

/** The search of customers. A price in the query is in minor units of `currency`. */
export const SearchQuery = z
  .object({
    limit: queryNumber(z.number().int().min(1).max(100).optional()).meta({ default: LIMIT_DEFAULT }),
    cursor: PageQuery.shape.cursor,
    ids: queryList(z.string().max(100), 50).meta({
      description: 'These listings, in this order: repeatable, beside `view` alone',
    }),
    view: z.enum(['full', 'card']).optional().meta({ description: '`full` by default' }),
    ...FIELD_PARAMETERS,
    country: CountryInAnyCase.optional(),
    city: text({ max: 120 }).optional().meta({ example: 'Abidjan' }),
    minPrice: queryNumber(z.number().int().min(0).max(AMOUNT_LIMIT).optional()),
    maxPrice: queryNumber(z.number().int().min(0).max(AMOUNT_LIMIT).optional()),
    currency: Currency.optional(),
    agent: z.string().max(100).optional().meta({ example: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    near: z
      .string()
      .regex(NEAR, 'must be a latitude and a longitude, such as 5.32,-4.02')
      .refine((near) => {
        const { lat, lng } = pointOf(near)
        return Math.abs(lat) <= 90 && Math.abs(lng) <= 180
      }, 'must be a latitude of at most 90 and a longitude of at most 180 degrees')
      .optional()
      .meta({ description: 'lat,lng: nearest first', example: '5.3261,-4.0197' }),
    radiusKm: queryNumber(z.number().min(0).max(RADIUS_MAX_KM).optional()).meta({
      default: RADIUS_DEFAULT_KM,
    }),
    sort: z.enum(['newest', 'price', '-price']).optional().meta({ description: '`newest` by default' }),
  })
  .superRefine((query, context) => {
    const { near, sort, currency, minPrice, maxPrice } = query
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, input: undefined })
    const { ids, view: _view, ...others } = query
    if (ids !== undefined && Object.values(others).some((value) => value !== undefined))
      refuse('ids', 'takes no other parameter than view beside it')
    if (near !== undefined && sort !== undefined) refuse('sort', 'is not for near, which sorts by distance')
    const needsCurrency = minPrice !== undefined || maxPrice !== undefined || (sort ?? 'newest') !== 'newest'
    if (needsCurrency && currency === undefined) refuse('currency', 'is needed to compare prices')
  })

function pointOf(near: string): Point {
  const [, lat, lng] = NEAR.exec(near) ?? []
  return { lat: Number(lat), lng: Number(lng) }
}

/** The values that a search filters by. Prices are in minor units, both ends included. */
export type SearchFilters = {
  [Name in keyof typeof FIELD_PARAMETERS]?: z.output<(typeof FIELD_PARAMETERS)[Name]>
} & {
  [Name in 'country' | 'city' | 'currency' | 'agentId']?: SearchEntry[Name] | undefined
} & { minimum: number; maximum: number }

/** A search: its filters, and the order of its results. */
export type Search = { filters: SearchFilters } & (
  | { by: 'order'; sort: Sort; list: ReturnType<typeof sortName> }
  | { by: 'distance'; origin: Point; radiusKm: number }
)

/** The search of a query; undefined when nothing can match it: a malformed agent id, or an empty price range. */
export function searchOf(query: z.infer<typeof SearchQuery>): Search | undefined {
  const { limit: _limit, cursor: _cursor, ids: _ids, view: _view, ...asked } = query
  const { agent, city, minPrice, maxPrice, near, radiusKm = RADIUS_DEFAULT_KM, sort, ...exact } = asked
  const agentId = agent === undefined ? undefined : UserId.safeParse(agent).data
  const filters: SearchFilters = {
    ...exact,
    city: city === undefined ? undefined : cityKey(city),
    minimum: minPrice ?? 0,
    maximum: maxPrice ?? AMOUNT_LIMIT,
    agentId,
  }
  if (filters.minimum > filters.maximum || (agent !== undefined && !agentId)) return undefined
  if (near !== undefined) return { by: 'distance', origin: pointOf(near), radiusKm, filters }
  const order = sort ?? 'newest'
  return { by: 'order', sort: order, list: sortName(order, query.currency), filters }
}

/** Whether an entry matches the filters of a search. A field that the entry lacks matches. */
export const isAskedFor = (entry: SearchEntry, filters: SearchFilters): boolean =>
  SEARCHED_NAMES.every(
    (name) =>
      filters[name] === undefined ||
      entry[name] === undefined ||
      FIELD_MATCHES[name](entry[name], filters[name]),
  ) &&
  EXACT.every((name) => filters[name] === undefined || filters[name] === entry[name]) &&
  entry.amount >= filters.minimum &&
  entry.amount <= filters.maximum

const EXACT = ['country', 'city', 'currency', 'agentId'] as const
