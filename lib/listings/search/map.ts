import * as z from 'zod'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { ListingId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import { queryNumber } from '#lib/kernel/query-number'
import { Category, Offer } from '../fields.ts'
import { Availability } from '../listing.ts'
import { type PreparedSearch, prepareSearch, sourceOf } from './conditions.ts'
import type { Row, SearchCopy } from './copy.ts'
import {
  Bbox,
  type Box,
  boxOf,
  checkFilters,
  FILTER_PARAMETERS,
  filtersOf,
  type GivenFilters,
} from './filters.ts'
import type { Replica } from './replica.ts'
import { cornersOf, projected, squaresAt } from './squares.ts'

const ZOOM_MAX = 22
const SQUARES_MAX = 2_500

/** From this zoom on, a square lists the ids of its listings. */
const NAMED_ZOOM = 18
const NAMED_MAX = 20

/** The rectangle of a map and its zoom. */
const MapPlace = z.object({
  bbox: Bbox,
  zoom: queryNumber(z.number().int().min(0).max(ZOOM_MAX)).meta({ example: 12 }),
})

/** A map: the filters of a search with its rectangle and its zoom. */
export const MapQuery = z
  .object({
    ...FILTER_PARAMETERS,
    ...MapPlace.shape,
  })
  .superRefine((query, context) => {
    // With `input: undefined`, Zod does not report the whole query as the refused value.
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message, input: undefined })
    checkFilters(query, refuse)
    // Zod also calls this for a zoom or a rectangle out of bounds, whose squares cannot be counted.
    const { data: place } = MapPlace.safeParse(query)
    if (place && squaresTouched(boxOf(place.bbox), place.zoom) > SQUARES_MAX)
      refuse('bbox', `touches more than ${SQUARES_MAX} squares at this zoom`)
  })

const degrees = z.number()

/** The listings of a rectangle by squares of 64 pixels. */
export const SearchMap = z
  .object({
    items: z.array(
      z
        .object({
          lat: degrees.meta({ description: 'The mean latitude of its listings', example: 5.3201 }),
          lng: degrees.meta({ description: 'The mean longitude of its listings', example: -4.0318 }),
          count: z.int().meta({ example: 12 }),
          bbox: z.tuple([degrees, degrees, degrees, degrees]).meta({
            description: 'The square: west, south, east, north',
            example: [-4.0429, 5.3099, -4.0209, 5.3317],
          }),
          ids: z
            .array(ListingId)
            .nullable()
            .meta({ description: 'From zoom 18 on, if `count` is above 1: up to 20, newest first' }),
          listing: z
            .object({
              id: ListingId,
              offer: Offer,
              category: Category,
              title: z.string().meta({ example: 'Three-bedroom apartment in Cocody' }),
              price: Money,
              availability: Availability,
            })
            .nullable()
            .meta({ description: 'Null unless `count` is 1' }),
        })
        .meta({ id: 'MapSquare' }),
    ),
    total: z.int().meta({ example: 12 }),
  })
  .meta({ id: 'SearchMap' })
type Square = z.infer<typeof SearchMap>['items'][number]

/** Counts the listings in a rectangle by square. */
export async function mapListings(
  { replica, now }: { replica: Replica; now: Clock },
  { zoom, ...query }: GivenFilters & z.infer<typeof MapPlace>,
): Promise<z.infer<typeof SearchMap>> {
  const copy = await replica.upToDate()
  const search = prepareSearch(copy, filtersOf(query), timestamp(now()))
  const rows = squaresOf(copy, search, zoom)
  const ids = zoom >= NAMED_ZOOM ? idsBySquare(copy, search, zoom) : undefined
  return {
    items: rows.map((row) => squareOf(row, zoom, ids)),
    total: rows.reduce((sum, row) => sum + Number(row['count']), 0),
  }
}

const IN_SQUARES = 'CAST(x * ? AS INTEGER) AS squareColumn, CAST(y * ? AS INTEGER) AS squareRow'

/**
 * SQLite takes columns without a function from the row with the `max`: here from the newest listing of the square. The
 * 180th meridian is in the first column of squares, as -180: with 180 the mean of the longitudes would be wrong.
 */
const SQUARE =
  'count(*) AS count, avg(lat) AS meanLat, avg(CASE lng WHEN 180 THEN -180 ELSE lng END) AS meanLng, ' +
  'max(publishedAt), id, offer, category, title, amount, currency, availability'

function squaresOf(copy: Pick<SearchCopy, 'all'>, search: PreparedSearch, zoom: number): Row[] {
  const { text, values } = sourceOf(search)
  const squares = squaresAt(zoom)
  return copy.all(`SELECT ${IN_SQUARES}, ${SQUARE} ${text} GROUP BY squareColumn, squareRow`, [
    squares,
    squares,
    ...values,
  ])
}

const nameOf = (row: Row): string => `${row['squareColumn']} ${row['squareRow']}`

function idsBySquare(
  copy: Pick<SearchCopy, 'all'>,
  search: PreparedSearch,
  zoom: number,
): Map<string, ListingId[]> {
  const { text, values } = sourceOf(search)
  const squares = squaresAt(zoom)
  const rows = copy.all(`SELECT ${IN_SQUARES}, id ${text} ORDER BY publishedAt DESC, id DESC`, [
    squares,
    squares,
    ...values,
  ])
  const bySquare = Map.groupBy(rows, nameOf)
  return new Map(
    [...bySquare].map(([square, held]) => [
      square,
      held.slice(0, NAMED_MAX).map(({ id }) => ListingId.parse(id)),
    ]),
  )
}

function squareOf(row: Row, zoom: number, ids: Map<string, ListingId[]> | undefined): Square {
  const count = Number(row['count'])
  const { id, offer, category, title, availability, amount, currency } = row
  return {
    lat: Number(row['meanLat']),
    lng: Number(row['meanLng']),
    count,
    bbox: cornersOf(Number(row['squareColumn']), Number(row['squareRow']), zoom),
    ids: count > 1 ? (ids?.get(nameOf(row)) ?? null) : null,
    listing:
      count === 1
        ? {
            id: ListingId.parse(id),
            offer: Offer.parse(offer),
            category: Category.parse(category),
            title: String(title),
            price: Money.parse({ amount, currency }),
            availability: Availability.parse(availability),
          }
        : null,
  }
}

/** Counts the squares that a rectangle touches, empty ones included. */
function squaresTouched({ west, south, east, north }: Box, zoom: number): number {
  const squares = squaresAt(zoom)
  const column = (lng: number) => Math.floor(projected({ lat: 0, lng }).x * squares)
  const row = (lat: number) => Math.floor(projected({ lat, lng: 0 }).y * squares)
  // `projected` puts the 180th meridian at the start of the first column. As the eastern edge of a rectangle that begins
  // west of it, it is the end of the last column.
  const from = west === 180 ? -180 : west
  const first = column(from)
  const last = east === 180 && west !== 180 ? squares - 1 : column(east)
  const crossesMeridian = from > east
  const columns = crossesMeridian ? Math.min(squares, squares - first + last + 1) : last - first + 1
  return columns * (row(south) - row(north) + 1)
}
