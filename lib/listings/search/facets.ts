import * as z from 'zod'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { foldedText } from '#lib/kernel/folded-text'
import { Currency } from '#lib/kernel/money'
import type { Category, Offer } from '../fields.ts'
import type { FilterName, Value } from './compared-fields.ts'
import { nearlyFound, type PreparedSearch, prepareSearch } from './conditions.ts'
import type { Row, SearchCopy } from './copy.ts'
import {
  checkFilters,
  FILTER_PARAMETERS,
  filtersOf,
  type GivenFilters,
  type SearchFilters,
} from './filters.ts'
import type { Replica } from './replica.ts'
import { byCount, gatherSpellings } from './spellings.ts'

/** The filters of a search, without page and order. */
export const FacetsQuery = z.object(FILTER_PARAMETERS).superRefine((query, context) => {
  checkFilters(query, (path, message) =>
    context.addIssue({ code: 'custom', path: [path], message, input: undefined }),
  )
})

const count = z.int().min(0).meta({ example: 12 })

const OfferCounts = z.object({ sale: count, rent: count } satisfies Record<z.infer<typeof Offer>, z.ZodType>)

const CategoryCounts = z.object({
  apartment: count,
  house: count,
  villa: count,
  studio: count,
  room: count,
  land: count,
  office: count,
  shop: count,
  warehouse: count,
  other: count,
} satisfies Record<z.infer<typeof Category>, z.ZodType>)

/** The numbers of listings by the values of each filter, among the listings that match all other filters. */
export const Facets = z
  .object({
    total: count,
    offers: OfferCounts,
    categories: CategoryCounts,
    bedrooms: z
      .record(z.string(), count)
      .meta({ description: 'By the number of bedrooms; numbers without a listing are absent' }),
    features: z.array(z.object({ feature: z.string(), count })).meta({
      description: 'The 30 most frequent',
      example: [{ feature: 'parking', count: 12 }],
    }),
    cities: z.array(z.object({ country: z.string(), city: z.string(), count })).meta({
      description: 'The 20 with most listings',
      example: [{ country: 'CI', city: 'Abidjan', count: 12 }],
    }),
    prices: z
      .object({
        currency: Currency,
        min: z.int(),
        max: z.int(),
        bins: z.array(z.object({ from: z.int(), to: z.int(), count })),
      })
      .nullable()
      .meta({
        description: 'With `currency`; each bin holds `from` ≤ price < `to`',
        example: { min: 100_000, max: 900_000, bins: [{ from: 100_000, to: 200_000, count: 12 }] },
      }),
  })
  .meta({ id: 'Facets' })
export type Facets = z.infer<typeof Facets>

const FEATURES_MAX = 30
const CITIES_MAX = 20
const BINS_MAX = 20

/** Counts what a search finds by each filter. */
export async function countFacets(
  { replica, now }: { replica: Replica; now: Clock },
  query: GivenFilters,
): Promise<Facets> {
  const copy = await replica.upToDate()
  const search = prepareSearch(copy, filtersOf(query), timestamp(now()))
  const { total, counts } = tallyFacets(copy, search)
  return {
    total,
    offers: withEvery(OfferCounts, counts.offer),
    categories: withEvery(CategoryCounts, counts.category),
    bedrooms: Object.fromEntries(counts.bedrooms),
    features: featuresOf(copy, counts.features),
    cities: citiesOf(placesOf(copy, counts.city)),
    prices: pricesOf(search.filters.currency, counts.prices),
  }
}

/** The column of each facet. */
const COLUMNS = {
  offer: 'offer',
  category: 'category',
  bedrooms: 'bedrooms',
  features: 'features',
  city: 'place',
  prices: 'amount',
} as const satisfies Record<FilterName, string>

type Counts = ReadonlyMap<Value, number>

/** Counts the values of each facet among the listings that match all filters but its own, in one pass over the rows. */
function tallyFacets(
  copy: SearchCopy,
  search: PreparedSearch,
): { total: number; counts: Record<FilterName, Counts> } {
  const names = (Object.keys(COLUMNS) as FilterName[]).filter(
    (name) => name !== 'prices' || search.filters.currency !== undefined,
  )
  const { total, counts } = copy.tally(
    names.map((name) => COLUMNS[name]),
    nearlyFound(search, names),
  )
  const countsOf = (name: FilterName): Counts => counts[names.indexOf(name)] ?? new Map()
  return {
    total,
    counts: {
      offer: countsOf('offer'),
      category: countsOf('category'),
      // A listing need not say how many bedrooms it has.
      bedrooms: new Map([...countsOf('bedrooms')].filter(([value]) => value !== null)),
      features: countsOf('features'),
      city: countsOf('city'),
      prices: countsOf('prices'),
    },
  }
}

/** Returns the counts with every value of a set, 0 without a listing. */
function withEvery<Schema extends z.ZodObject>(schema: Schema, counts: Counts) {
  return schema.parse(
    Object.fromEntries(Object.keys(schema.shape).map((name) => [name, counts.get(name) ?? 0])),
  )
}

/** Reads the rows of `table` whose numbers (`n`) have a count. */
function namedRows(
  copy: Pick<SearchCopy, 'all'>,
  table: string,
  counts: Counts,
): { row: Row; count: number }[] {
  const rows = copy.all(`SELECT * FROM ${table} WHERE n IN (SELECT value FROM json_each(?))`, [
    JSON.stringify([...counts.keys()]),
  ])
  return rows.map((row) => ({ row, count: counts.get(row['n'] ?? null) ?? 0 }))
}

function featuresOf(copy: Pick<SearchCopy, 'all'>, counts: Counts): Facets['features'] {
  // A row of `features` is a set of features, and its count belongs to each feature of the set.
  const byName = new Map<string, number>()
  for (const { row, count } of namedRows(copy, 'features', counts)) {
    for (const name of FeatureNames.parse(JSON.parse(textOf(row, 'names')))) {
      byName.set(name, (byName.get(name) ?? 0) + count)
    }
  }
  const spelled = [...byName].map(([names, count]) => ({ names, count }))
  const asSpelled = (name: string) => name
  return gatherSpellings(spelled, foldedText, asSpelled)
    .sort(byCount(asSpelled))
    .slice(0, FEATURES_MAX)
    .map(({ names: feature, count }) => ({ feature, count }))
}

const FeatureNames = z.array(z.string())

/** A place as the copy holds it, with the number of listings that spell it so. */
export type CountedPlace = {
  names: { country: string; city: string; cityKey: string; district: string; districtKey: string }
  count: number
}

/** Counts what a search finds by place. */
export const countPlaces = (copy: SearchCopy, search: PreparedSearch): CountedPlace[] =>
  placesOf(copy, copy.tally(['place'], nearlyFound(search, [])).counts[0] ?? new Map())

const placesOf = (copy: Pick<SearchCopy, 'all'>, counts: Counts): CountedPlace[] =>
  namedRows(copy, 'place', counts).map(({ row, count }) => ({
    names: {
      country: textOf(row, 'country'),
      city: textOf(row, 'city'),
      cityKey: textOf(row, 'cityKey'),
      district: textOf(row, 'district'),
      districtKey: textOf(row, 'districtKey'),
    },
    count,
  }))

const textOf = (row: Row, name: string): string => String(row[name])

/** Gathers places into cities, most listings first. */
export const citiesAmong = (places: readonly CountedPlace[]): CountedPlace[] =>
  gatherSpellings(
    places,
    ({ country, cityKey }) => `${country} ${cityKey}`,
    ({ city }) => city,
  ).sort(
    byCount(
      ({ city }) => city,
      ({ country }) => country,
    ),
  )

const citiesOf = (places: readonly CountedPlace[]): Facets['cities'] =>
  citiesAmong(places)
    .slice(0, CITIES_MAX)
    .map(({ names: { country, city }, count }) => ({ country, city, count }))

function pricesOf(currency: SearchFilters['currency'], counts: Counts): Facets['prices'] {
  if (currency === undefined || counts.size === 0) return null
  const amounts = [...counts].map(([amount, count]) => ({ amount: Number(amount), count }))
  const ends = amounts.reduce(
    ({ min, max }, { amount }) => ({ min: Math.min(min, amount), max: Math.max(max, amount) }),
    { min: Number.POSITIVE_INFINITY, max: 0 },
  )
  const width = binWidth(ends.min, ends.max)
  const first = Math.floor(ends.min / width)
  const bins = Array.from({ length: Math.floor(ends.max / width) - first + 1 }, (_, place) => ({
    from: (first + place) * width,
    to: (first + place + 1) * width,
    count: 0,
  }))
  for (const { amount, count } of amounts) {
    const bin = bins[Math.floor(amount / width) - first]
    if (bin) bin.count += count
  }
  return { currency, ...ends, bins }
}

/** Returns the least width of 1, 2 or 5 times a power of ten with which twenty bins reach from one price to another. */
function binWidth(min: number, max: number): number {
  for (let power = 1; ; power *= 10) {
    const width = [1, 2, 5]
      .map((digit) => digit * power)
      .find((each) => Math.floor(max / each) - Math.floor(min / each) < BINS_MAX)
    if (width !== undefined) return width
  }
}
