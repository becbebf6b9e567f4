import * as z from 'zod'
import { Moment, Timestamp } from '#lib/kernel/clock'
import { AMOUNT_LIMIT, Currency } from '#lib/kernel/money'
import { Category, type ListingFields, Offer, RentPeriod } from '../fields.ts'
import { Availability } from '../listing.ts'

/** A value in a query or a row of the copy. */
export type Value = string | number | null

/** A filter whose values are counted among the listings that match all other filters. */
export type FilterName = 'offer' | 'category' | 'city' | 'prices' | 'bedrooms' | 'features'

type FilterOptions = {
  /** The name under which the values are counted. */
  facet?: FilterName
  description?: string
  /** Turns the filter's value into a column's. */
  stored?: (given: string) => Value
}

/** Declares a filter by one value, with its condition on a row of `listing`. */
const value = <Schema extends z.ZodType>(schema: Schema, condition: string, options: FilterOptions = {}) =>
  ({ kind: 'value', schema, condition, ...options }) as const

/** Declares a filter by a number, which a query spells as text. */
const number = (schema: z.ZodType<number>, condition: string, options: FilterOptions = {}) =>
  ({ kind: 'number', schema, condition, ...options }) as const

/** Declares a filter by several values of a column, any of which matches. */
const anyOf = <Schema extends z.ZodType<string>>(
  schema: Schema,
  column: string,
  options: FilterOptions = {},
) => ({ kind: 'anyOf', schema, column, ...options }) as const

/** A filter of a compared field. */
export type ComparedFilter =
  | ReturnType<typeof value>
  | ReturnType<typeof number>
  | ReturnType<typeof anyOf<z.ZodType<string>>>

/**
 * Declares what the search compares of a field: its values in the row of the log, its columns and its filters. A column
 * declared by its type alone holds the value of its name.
 */
const compared = <
  const Row extends z.ZodRawShape,
  const Filters extends Record<string, ComparedFilter>,
>(field: {
  row: Row
  columns: Record<string, string | { type: string; value: (row: z.output<z.ZodObject<Row>>) => Value }>
  filters: Filters
}) => field

/** A field that no filter compares as a value. */
const notCompared = compared({ row: {}, columns: {}, filters: {} })

const price = z.int().min(0).max(AMOUNT_LIMIT)
const rooms = z.int().min(0).max(100)
/** The largest area that a filter takes. */
export const AREA_MAX_SQM = 100_000_000
const area = z.number().min(0).max(AREA_MAX_SQM)

/** A listing without an area comes last in both orders, and no bound of an area matches it. */
const NO_AREA_UP = 1e12
const NO_AREA_DOWN = 0

/**
 * The fields by which customers compare listings, each once. Row, table, parameters and conditions of the search derive
 * from this object. A field of listings that is not here does not compile.
 */
const COMPARED_FIELDS = {
  // The words find the texts; places, points and sets of features have tables of their own.
  title: notCompared,
  description: notCompared,
  location: notCompared,
  features: notCompared,
  offer: compared({
    row: { offer: Offer },
    columns: { offer: 'TEXT NOT NULL' },
    filters: { offer: value(Offer, 'offer = ?', { facet: 'offer' }) },
  }),
  category: compared({
    row: { category: Category },
    columns: { category: 'TEXT NOT NULL' },
    filters: { category: anyOf(Category, 'category', { facet: 'category' }) },
  }),
  price: compared({
    row: { amount: z.int(), currency: Currency },
    columns: { amount: 'INTEGER NOT NULL', currency: 'TEXT NOT NULL' },
    filters: {
      minPrice: number(price, 'amount >= ?', { facet: 'prices' }),
      maxPrice: number(price, 'amount <= ?', { facet: 'prices' }),
      currency: value(Currency, 'currency = ?'),
    },
  }),
  rentPeriod: compared({
    row: { rentPeriod: RentPeriod.nullable() },
    columns: { rentPeriod: 'TEXT' },
    filters: { rentPeriod: value(RentPeriod, 'rentPeriod = ?') },
  }),
  bedrooms: compared({
    row: { bedrooms: z.int().nullable() },
    columns: { bedrooms: 'INTEGER' },
    filters: { bedrooms: number(rooms, 'bedrooms >= ?', { facet: 'bedrooms', description: 'A minimum' }) },
  }),
  bathrooms: compared({
    row: { bathrooms: z.int().nullable() },
    columns: { bathrooms: 'INTEGER' },
    filters: { bathrooms: number(rooms, 'bathrooms >= ?', { description: 'A minimum' }) },
  }),
  areaSqm: compared({
    row: { areaSqm: z.number().nullable() },
    columns: {
      areaUp: { type: 'REAL NOT NULL', value: ({ areaSqm }) => areaSqm ?? NO_AREA_UP },
      areaDown: { type: 'REAL NOT NULL', value: ({ areaSqm }) => areaSqm ?? NO_AREA_DOWN },
    },
    filters: {
      minArea: number(area, 'areaDown > 0 AND areaDown >= ?'),
      maxArea: number(area, 'areaUp <= ?'),
    },
  }),
  availability: compared({
    row: { availability: Availability },
    columns: { availability: 'TEXT NOT NULL' },
    filters: { availability: anyOf(Availability.extract(['AVAILABLE', 'UNDER_OFFER']), 'availability') },
  }),
  publishedAt: compared({
    row: { publishedAt: Timestamp },
    columns: {
      publishedAt: { type: 'INTEGER NOT NULL', value: ({ publishedAt }) => Date.parse(publishedAt) },
    },
    filters: {
      publishedSince: value(Moment, 'publishedAt >= ?', {
        stored: Date.parse,
        description: 'The earliest time of the first publication',
      }),
    },
  }),
} satisfies Record<keyof ListingFields | 'availability' | 'publishedAt', object>

type Field = (typeof COMPARED_FIELDS)[keyof typeof COMPARED_FIELDS]
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The values of all compared fields in a row of the log. */
export const COMPARED_ROW: Intersection<Field['row']> = Object.assign(
  {},
  ...Object.values(COMPARED_FIELDS).map(({ row }) => row),
)

/** The columns of all compared fields: name, type, and the value made of a row of the log. */
export const COMPARED_COLUMNS = Object.values(COMPARED_FIELDS).flatMap(({ columns }) =>
  Object.entries(columns).map(([name, column]) => ({
    name,
    ...(typeof column === 'string'
      ? { type: column, value: (row: Readonly<Record<string, Value>>): Value => row[name] ?? null }
      : column),
  })),
)

export type ComparedFilters = Intersection<Field['filters']>

/** The filters of all compared fields, by name. */
export const COMPARED_FILTERS: ComparedFilters = Object.assign(
  {},
  ...Object.values(COMPARED_FIELDS).map(({ filters }) => filters),
)
