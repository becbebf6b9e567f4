import * as z from 'zod'
import { ListingId } from '#lib/kernel/id'
import { conditionsOf, joined, narrowest, type PreparedSearch, sourceOf, sql } from './conditions.ts'
import type { Row, SearchCopy, Sql } from './copy.ts'
import type { SearchOrder } from './search-query.ts'

/** The largest number of listings that is counted exactly. */
export const TOTAL_MAX = 10_000

/** With fewer matches, and without an indexed filter, reading all rows is faster than following the index of an order. */
const WALK_MIN = 1_000

/** The position of a listing in an order: the next page begins after it. */
export const SearchPosition = z.object({ value: z.number(), id: ListingId })
export type SearchPosition = z.infer<typeof SearchPosition>

/** A listing that the copy found. Version and fingerprint tell whether its record still says the same. */
export type FoundRow = {
  id: ListingId
  version: number
  fingerprint: string
  position: SearchPosition
}

/** A page of a search: its order, its size, the position after which it begins, and the number of matches. */
type PageRequest = {
  order: SearchOrder
  limit: number
  after: SearchPosition | undefined
  total: number
}

/** `areaUp` and `areaDown` are the area, with values that sort a listing without an area last. */
const ORDERS = {
  newest: { by: 'publishedAt', index: 'by_newest', isDescending: true },
  price: { by: 'amount', index: 'by_price', isDescending: false },
  '-price': { by: 'amount', index: 'by_price', isDescending: true },
  area: { by: 'areaUp', index: 'by_area', isDescending: false },
  '-area': { by: 'areaDown', index: 'by_area_down', isDescending: true },
}

/** Returns how many listings match, ten thousand at most. */
export function countTotal(copy: Pick<SearchCopy, 'all'>, search: PreparedSearch): number {
  const { text, values } = totalQuery(search)
  return Number(copy.all(text, values)[0]?.['total'])
}

export const totalQuery = (search: PreparedSearch): Sql => {
  const { text, values } = sourceOf(search)
  return sql(`SELECT count(*) AS total FROM (SELECT 1 ${text} LIMIT ${TOTAL_MAX})`, ...values)
}

/** Returns a page of what the copy finds, in order. */
export function readPage(
  copy: Pick<SearchCopy, 'all'>,
  search: PreparedSearch,
  page: PageRequest,
): FoundRow[] {
  if (page.total === 0) return []
  let rows: readonly Row[] = []
  for (const radiusKm of radiiOf(search, page)) {
    const { text, values } = pageQuery(withinRadius(search, radiusKm), page)
    rows = copy.all(text, values)
    if (rows.length >= page.limit) break
  }
  return rows.map(foundRow)
}

const withinRadius = (search: PreparedSearch, radiusKm: number): PreparedSearch => {
  const { near } = search.filters
  return near ? { ...search, filters: { ...search.filters, near: { ...near, radiusKm } } } : search
}

/**
 * Returns the radii in which the nearest listings are searched in turn: small ones first if very many match. Left out are
 * radii that earlier pages have exhausted: every listing within them is nearer than `after`.
 */
function radiiOf({ filters }: PreparedSearch, { order, total, after }: PageRequest): number[] {
  const radiusKm = filters.near?.radiusKm ?? 0
  if (order !== 'distance' || total < TOTAL_MAX) return [radiusKm]
  return [64, 16, 4, 1]
    .map((divisor) => radiusKm / divisor)
    .filter((km) => km === radiusKm || km > (after?.value ?? 0))
}

/**
 * Returns the query of a page. If many listings match, it follows the index of the order until the page is full;
 * otherwise it sorts the listings that the narrowest filter leaves.
 */
export function pageQuery(search: PreparedSearch, { order, limit, after, total }: PageRequest): Sql {
  if (order === 'distance') return nearestQuery(search, limit, after)
  const { by, index, isDescending } = ORDERS[order]
  const hasIndexedFilter = narrowest(search) !== undefined
  const walksOrder = total >= (hasIndexedFilter ? TOTAL_MAX : WALK_MIN)
  // Every search has a condition, so each source ends with a WHERE clause, to which `following` adds an AND.
  const where = joined(conditionsOf(search), ' AND ')
  const source = walksOrder
    ? sql(`FROM listing INDEXED BY ${index} WHERE ${where.text}`, ...where.values)
    : sourceOf(search)
  const following = after ? followingIn(by, isDescending, after) : sql('')
  return sql(
    `SELECT id, version, fingerprint, ${by} AS value ${source.text}${following.text}` +
      ` ORDER BY ${by}${isDescending ? ' DESC' : ''}, id DESC LIMIT ?`,
    ...source.values,
    ...following.values,
    limit,
  )
}

/** Returns the condition of the listings after a position. Of equal values the greater id comes first, in every order. */
const followingIn = (by: string, isDescending: boolean, { value, id }: SearchPosition): Sql =>
  isDescending
    ? sql(` AND ${by} <= ? AND (${by} < ? OR id < ?)`, value, value, id)
    : sql(` AND ${by} >= ? AND (${by} > ? OR id < ?)`, value, value, id)

function nearestQuery(search: PreparedSearch, limit: number, after: SearchPosition | undefined): Sql {
  const { lat, lng } = search.filters.near?.origin ?? { lat: 0, lng: 0 }
  const source = sourceOf(search)
  const following = after
    ? sql('WHERE value > ? OR (value = ? AND id < ?)', after.value, after.value, after.id)
    : sql('')
  return sql(
    `SELECT * FROM (SELECT id, version, fingerprint, km(?, ?, lat, lng) AS value ${source.text}) ` +
      `${following.text} ORDER BY value, id DESC LIMIT ?`,
    lat,
    lng,
    ...source.values,
    ...following.values,
    limit,
  )
}

function foundRow(row: Row): FoundRow {
  const id = ListingId.parse(row['id'])
  const value = Number(row['value'])
  return {
    id,
    version: Number(row['version']),
    fingerprint: String(row['fingerprint']),
    position: { value, id },
  }
}
