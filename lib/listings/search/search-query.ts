import * as z from 'zod'
import { UserId } from '#lib/kernel/id'
import { AMOUNT_LIMIT, Currency } from '#lib/kernel/money'
import { PageQuery } from '#lib/kernel/page'
import { queryNumber } from '#lib/kernel/query-number'
import { text } from '#lib/kernel/text'
import { Category, Country, Offer } from '../listing.ts'
import { type Sort, sortName } from './lists.ts'
import { cityKey, type SearchEntry } from './search-entry.ts'
import type { Point } from './sphere.ts'

const RADIUS_MAX_KM = 200
const RADIUS_DEFAULT_KM = 10

const NEAR = /^ *([+-]?\d{1,3}(?:\.\d{1,20})?) *, *([+-]?\d{1,3}(?:\.\d{1,20})?) *$/

/** The search of customers. A price in the query is in minor units of `currency`. */
export const SearchQuery = PageQuery.extend({
  offer: Offer.optional(),
  category: Category.optional(),
  country: Country.optional(),
  city: text({ max: 120 }).optional().meta({ example: 'Abidjan' }),
  minPrice: queryNumber(z.number().int().min(0).max(AMOUNT_LIMIT).optional()),
  maxPrice: queryNumber(z.number().int().min(0).max(AMOUNT_LIMIT).optional()),
  currency: Currency.optional(),
  bedrooms: queryNumber(z.number().int().min(0).max(100).optional()).meta({ description: 'A minimum' }),
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
  radiusKm: queryNumber(z.number().min(0).max(RADIUS_MAX_KM).default(RADIUS_DEFAULT_KM)),
  sort: z.enum(['newest', 'price', '-price']).optional().meta({ description: '`newest` by default' }),
}).superRefine(({ near, sort, currency, minPrice, maxPrice }, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, input: undefined })
  if (near !== undefined && sort !== undefined) refuse('sort', 'is not for near, which sorts by distance')
  const needsCurrency = minPrice !== undefined || maxPrice !== undefined || (sort ?? 'newest') !== 'newest'
  if (needsCurrency && currency === undefined) refuse('currency', 'is needed to compare prices')
})

function pointOf(near: string): Point {
  const [, lat, lng] = NEAR.exec(near) ?? []
  return { lat: Number(lat), lng: Number(lng) }
}

/** What a search asks of an entry. */
export type SearchFilters = {
  [Name in 'offer' | 'category' | 'country' | 'city' | 'currency']: SearchEntry[Name] | undefined
} & { minimum: number; maximum: number; bedrooms: number | undefined; agentId: UserId | undefined }

/** A search as it is carried out: what it asks for, and by what it sorts. */
export type Search = { filters: SearchFilters } & (
  | { by: 'order'; sort: Sort; list: ReturnType<typeof sortName> }
  | { by: 'distance'; origin: Point; radiusKm: number }
)

/** Reads a query; undefined when nothing can match it: no such agent, or a price range that holds nothing. */
export function searchOf(query: z.infer<typeof SearchQuery>): Search | undefined {
  const agentId = query.agent === undefined ? undefined : UserId.safeParse(query.agent).data
  const filters: SearchFilters = {
    offer: query.offer,
    category: query.category,
    country: query.country,
    city: query.city === undefined ? undefined : cityKey(query.city),
    currency: query.currency,
    minimum: query.minPrice ?? 0,
    maximum: query.maxPrice ?? AMOUNT_LIMIT,
    bedrooms: query.bedrooms,
    agentId,
  }
  if (filters.minimum > filters.maximum || (query.agent !== undefined && !agentId)) return undefined
  if (query.near !== undefined) {
    return { by: 'distance', origin: pointOf(query.near), radiusKm: query.radiusKm, filters }
  }
  const sort = query.sort ?? 'newest'
  return { by: 'order', sort, list: sortName(sort, query.currency), filters }
}

/** Whether a listing is what a search asks for. */
export const isAskedFor = (entry: SearchEntry, filters: SearchFilters): boolean =>
  EXACT.every((name) => filters[name] === undefined || filters[name] === entry[name]) &&
  entry.amount >= filters.minimum &&
  entry.amount <= filters.maximum &&
  (filters.bedrooms === undefined || (entry.bedrooms !== null && entry.bedrooms >= filters.bedrooms))

const EXACT = ['offer', 'category', 'country', 'city', 'currency', 'agentId'] as const
