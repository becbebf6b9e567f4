import * as z from 'zod'
import { foldedText, wordsOf } from '#lib/kernel/folded-text'
import { UserId } from '#lib/kernel/id'
import { AMOUNT_LIMIT } from '#lib/kernel/money'
import { queryList } from '#lib/kernel/query-list'
import { queryNumber } from '#lib/kernel/query-number'
import { storableNumber } from '#lib/kernel/storable-number'
import { plainText, text } from '#lib/kernel/text'
import { CountryInAnyCase } from '../country.ts'
import {
  AREA_MAX_SQM,
  COMPARED_FILTERS,
  type ComparedFilter,
  type ComparedFilters,
} from './compared-fields.ts'
import type { Point } from './sphere.ts'

const RADIUS_MAX_KM = 200
const RADIUS_DEFAULT_KM = 10

/** Programs write small numbers with an exponent, such as -1e-7. */
const DEGREES = '([+-]?\\d{1,3}(?:\\.\\d{1,20})?(?:[eE]-\\d{1,2})?)'
const PAIR = new RegExp(`^ *${DEGREES} *, *${DEGREES} *$`)
const RECTANGLE = new RegExp(`^ *${Array(4).fill(DEGREES).join(' *, *')} *$`)

/** A rectangle in degrees; west of more than east crosses the 180th meridian. */
export type Box = { west: number; south: number; east: number; north: number }

/** Returns the numbers in a text. Adding 0 makes 0 of -0. */
const numbersIn = (pattern: RegExp, given: string): number[] =>
  (pattern.exec(given) ?? []).slice(1).map((number) => Number(number) + 0)

const pointOf = (near: string): Point => {
  const [lat = 0, lng = 0] = numbersIn(PAIR, near)
  return { lat, lng: withinTurn(lng) }
}

export const boxOf = (bbox: string): Box => {
  const [west = 0, south = 0, east = 0, north = 0] = numbersIn(RECTANGLE, bbox)
  // A rectangle that goes once around the Earth begins and ends at the same meridian.
  if (east - west >= 360) return { west: -180, south, east: 180, north }
  return { west: withinTurn(west), south, east: withinTurn(east), north }
}

/** Returns a longitude of at most 360 degrees as one of at most 180: a map that scrolls on counts beyond the 180th meridian. */
const withinTurn = (lng: number): number => (Math.abs(lng) <= 180 ? lng : lng - 360 * Math.sign(lng))

const isOnEarth = (lat: number, lng: number): boolean => Math.abs(lat) <= 90 && Math.abs(lng) <= 360

/** `west,south,east,north` in degrees. */
export const Bbox = z
  .string()
  .regex(RECTANGLE, { error: 'must be west,south,east,north, such as -4.1,5.2,-3.9,5.4', abort: true })
  .superRefine((given, context) => {
    const [west = 0, south = 0, east = 0, north = 0] = numbersIn(RECTANGLE, given)
    const refuse = (message: string) => context.addIssue({ code: 'custom', message, input: given })
    if (!isOnEarth(south, west) || !isOnEarth(north, east)) {
      refuse('must have latitudes of at most 90 and longitudes of at most 360 degrees')
    } else if (south > north) refuse('must have its south below its north')
  })
  .meta({
    description: 'west,south,east,north in degrees; west greater than east crosses the 180th meridian',
    example: '-4.1,5.2,-3.9,5.4',
  })

const Near = z
  .string()
  .regex(PAIR, { error: 'must be a latitude and a longitude, such as 5.32,-4.02', abort: true })
  .refine((near) => {
    const [lat = 0, lng = 0] = numbersIn(PAIR, near)
    return isOnEarth(lat, lng)
  }, 'must be a latitude of at most 90 and a longitude of at most 360 degrees')
  .meta({ description: 'lat,lng. By default the nearest listings come first', example: '5.3261,-4.0197' })

/** The words of a search. Each must be the beginning of a word of the listing. */
export const SearchWords = text({ max: 100 })
  .refine((q) => wordsOf(q).length > 0, 'must hold a letter or a digit')
  .meta({ description: 'Words. Each must be the beginning of a word of the listing', example: 'lagoon pool' })

/** The form of numbers and lists: text in a query, or JSON. */
type Spelling = {
  number: (schema: z.ZodType<number | undefined>) => z.ZodType<number | undefined>
  list: <T>(value: z.ZodType<T>) => z.ZodType<T[] | undefined>
}

/** The schema of a compared field's filter, as it is spelled. */
type Spelled<Filter> = Filter extends { kind: 'number' }
  ? z.ZodType<number | undefined>
  : Filter extends { kind: 'anyOf'; schema: infer Schema extends z.ZodType }
    ? z.ZodType<z.output<Schema>[] | undefined>
    : Filter extends { kind: 'value'; schema: infer Schema extends z.ZodType }
      ? z.ZodOptional<Schema>
      : never
type SpelledFilters = { [Name in keyof ComparedFilters]: Spelled<ComparedFilters[Name]> }

function spelled(filter: ComparedFilter, { number, list }: Spelling): z.ZodType {
  switch (filter.kind) {
    case 'value':
      return filter.schema.optional()
    case 'number':
      return number(filter.schema.optional())
    case 'anyOf':
      return list(filter.schema).meta({ description: 'Repeatable: matches any of the values' })
  }
}

const spelledFilters = (spelling: Spelling): SpelledFilters =>
  Object.assign(
    {},
    ...Object.entries(COMPARED_FILTERS).map(([name, filter]: [string, ComparedFilter]) => {
      const schema = spelled(filter, spelling)
      return { [name]: filter.description ? schema.meta({ description: filter.description }) : schema }
    }),
  )

const shapeIn = ({ number, list }: Spelling) => ({
  q: SearchWords.optional(),
  ...spelledFilters({ number, list }),
  country: CountryInAnyCase.optional(),
  city: text({ max: 120 }).optional().meta({ example: 'Abidjan' }),
  bbox: Bbox.optional(),
  near: Near.optional(),
  radiusKm: number(z.number().min(0).max(RADIUS_MAX_KM).optional()).meta({ default: RADIUS_DEFAULT_KM }),
  features: list(text({ max: 40 })).meta({
    description: 'Repeatable: matches listings with all of the values',
  }),
  agent: plainText({ max: 100 }).optional().meta({ example: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
})

/** The filters of a search as parameters of a query. */
export const FILTER_PARAMETERS = shapeIn({ number: queryNumber, list: queryList })

/** The filters of a search as JSON: numbers as numbers, several values as a list. A saved search stores them. */
export const FILTER_FIELDS = shapeIn({
  number: (schema) => schema.overwrite((value) => (value === undefined ? value : storableNumber(value))),
  list: (value) => z.array(value).min(1).max(50).optional(),
})

/** Filters as they were given. */
export type GivenFilters = Partial<z.output<z.ZodObject<typeof FILTER_PARAMETERS>>>

/** Reports each filter that contradicts another one, or lacks one that it needs. */
export function checkFilters(given: GivenFilters, refuse: (name: string, message: string) => void): void {
  const { minPrice, maxPrice, currency, minArea, maxArea, near, radiusKm } = given
  if ((minPrice ?? 0) > (maxPrice ?? AMOUNT_LIMIT)) refuse('minPrice', 'must be at most maxPrice')
  if ((minArea ?? 0) > (maxArea ?? AREA_MAX_SQM)) refuse('minArea', 'must be at most maxArea')
  if (radiusKm !== undefined && near === undefined) refuse('radiusKm', 'is only for near')
  const isPriced = minPrice !== undefined || maxPrice !== undefined
  if (isPriced && currency === undefined) refuse('currency', 'is needed to compare prices')
}

/** The filters of a search, ready to be compared. Every listing matches an undefined filter or an empty list. */
export type SearchFilters = Pick<GivenFilters, keyof ComparedFilters | 'country'> & {
  words: string[]
  /** In the form of `foldedText`, as are the features. */
  city: string | undefined
  features: string[]
  box: Box | undefined
  near: { origin: Point; radiusKm: number } | undefined
  agent?: string | undefined
}

/**
 * Returns the filters in the form in which they are compared. A malformed agent id becomes '', which matches no listing.
 * Several values are sorted, since a cursor belongs to its filters in whichever order a client names them.
 */
export function filtersOf(given: GivenFilters): SearchFilters {
  const { q, city, features, bbox, near, radiusKm, ...compared } = given
  return {
    ...Object.fromEntries(
      Object.entries(compared).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.toSorted() : value,
      ]),
    ),
    words: q === undefined ? [] : wordsOf(q),
    city: city === undefined ? undefined : foldedText(city),
    features: [...new Set((features ?? []).map(foldedText))].sort(),
    box: bbox === undefined ? undefined : boxOf(bbox),
    near: near === undefined ? undefined : { origin: pointOf(near), radiusKm: radiusKm ?? RADIUS_DEFAULT_KM },
    ...(given.agent !== undefined && { agent: UserId.safeParse(given.agent).data ?? '' }),
  }
}
