import type { Timestamp } from '#lib/kernel/clock'
import { COMPARED_FILTERS, type ComparedFilter, type FilterName, type Value } from './compared-fields.ts'
import type { NearlyFound, SearchCopy, Sql } from './copy.ts'
import type { Box, SearchFilters } from './filters.ts'
import { EARTH_RADIUS_KM, type Point } from './sphere.ts'

export const sql = (text: string, ...values: Value[]): Sql => ({ text, values })

export const joined = (parts: readonly Sql[], by: string): Sql => ({
  text: parts.map(({ text }) => text).join(by),
  values: parts.flatMap(({ values }) => values),
})

/** A search at a time. `isWide`: its area holds so many listings of the copy that the index of areas is of no use. */
export type PreparedSearch = { filters: SearchFilters; now: Timestamp; isWide?: boolean }

/** An area with at least an eighth of the listings is wide: reading them by an index is no faster than reading all. */
const WIDE_DIVISOR = 8

/** Prepares a search of a copy: counts the listings of its area, to tell whether the area is wide. */
export function prepareSearch(
  copy: Pick<SearchCopy, 'all'>,
  filters: SearchFilters,
  now: Timestamp,
): PreparedSearch {
  const area = areaOf(filters)
  if (!area) return { filters, now }
  const { text, values } = joined(partsOf(area).map(inTree), ' UNION ALL ')
  // The highest `n` is about the number of listings. In an empty copy it is null, which LIMIT does not take.
  const most = `SELECT coalesce(max(n), 0) / ${WIDE_DIVISOR} FROM listing`
  const [row] = copy.all(
    `SELECT (${most}) AS most, (SELECT count(*) FROM (${text} LIMIT (${most}))) AS held`,
    values,
  )
  return { filters, now, isWide: Number(row?.['held']) >= Math.max(WIDE_MIN, Number(row?.['most'])) }
}

/** The least number of listings of a wide area: in a small copy every way to read is fast. */
const WIDE_MIN = 100

const areaOf = ({ box, near }: SearchFilters): Box | undefined =>
  box ?? (near && boxAround(near.origin, near.radiusKm))

/** Selects the listings in a rectangle by the R*Tree. It rounds outwards, so its rows are compared again exactly. */
const inTree = ({ west, south, east, north }: Box): Sql =>
  sql(
    'SELECT n FROM spot WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?',
    ...[south, north, west, east],
  )

/** Splits a rectangle at the 180th meridian. A rectangle that touches -180 includes 180, and the other way round. */
function partsOf({ west, south, east, north }: Box): Box[] {
  const spans =
    west > east
      ? [
          [west, 180],
          [-180, east],
        ]
      : [[west, east]]
  const touchesWestEnd = spans.some(([from]) => from === -180)
  const touchesEastEnd = spans.some(([, to]) => to === 180)
  if (touchesWestEnd && !touchesEastEnd) spans.push([180, 180])
  if (touchesEastEnd && !touchesWestEnd) spans.push([-180, -180])
  return spans.map(([from = 0, to = 0]) => ({ west: from, east: to, south, north }))
}

const KM_PER_DEGREE = (EARTH_RADIUS_KM * Math.PI) / 180

/** A margin in degrees, larger than the rounding error of a distance. */
const SLACK = 1e-9

/** Returns a rectangle that holds the circle around a point. Around a pole it holds every longitude. */
function boxAround({ lat, lng }: Point, radiusKm: number): Box {
  const degrees = radiusKm / KM_PER_DEGREE + SLACK
  const [south, north] = [Math.max(-90, lat - degrees), Math.min(90, lat + degrees)]
  const reach = Math.sin((degrees * Math.PI) / 180) / Math.cos((lat * Math.PI) / 180)
  const holdsPole = north === 90 || south === -90
  // Beside a pole, rounding may make `reach` 1 or more.
  if (holdsPole || reach >= 1) return { west: -180, east: 180, south, north }
  const turn = (Math.asin(reach) * 180) / Math.PI + SLACK
  // Longitudes beyond the 180th meridian go on at its other side.
  const wrapped = (degree: number) => degree - 360 * Math.round(degree / 360)
  return { west: wrapped(lng - turn), east: wrapped(lng + turn), south, north }
}

const withinBox = (box: Box): Sql => {
  const parts = partsOf(box).map(({ west, east }) => sql('lng BETWEEN ? AND ?', west, east))
  const lng = joined(parts, ' OR ')
  return sql(`lat BETWEEN ? AND ? AND (${lng.text})`, box.south, box.north, ...lng.values)
}

const AGENT = 'agent = (SELECT n FROM agent WHERE id = ?)'

const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ')

/** Selects by FTS5 the listings that hold every word. Words are letters, digits and marks: no quote needs escaping. */
const matching = (words: readonly string[]): Sql =>
  sql('SELECT rowid AS n FROM words WHERE words MATCH ?', words.map((word) => `"${word}"*`).join(' '))

/** Selects the sets of features that contain a feature. */
const SETS_WITH_FEATURE =
  'SELECT has.features FROM feature CROSS JOIN has ON has.feature = feature.n WHERE feature.key = ?'

/** Returns the condition of a city, a country or both on a row of `place`. */
const placeCondition = ({ city, country }: SearchFilters): Sql =>
  joined(
    [
      ...(city === undefined ? [] : [sql('cityKey = ?', city)]),
      ...(country === undefined ? [] : [sql('country = ?', country)]),
    ],
    ' AND ',
  )

/**
 * Returns a query of listings by the index of one filter: of the one that usually leaves the fewest listings. Undefined
 * if no filter of the search has an index.
 */
export function narrowest({ filters, isWide }: Pick<PreparedSearch, 'filters' | 'isWide'>): Sql | undefined {
  const { agent, words, city, country } = filters
  if (agent !== undefined) return sql(`SELECT n FROM listing INDEXED BY by_agent WHERE ${AGENT}`, agent)
  if (words.length > 0) return matching(words)
  const area = isWide ? undefined : areaOf(filters)
  if (area) return joined(partsOf(area).map(inTree), ' UNION ')
  if (city === undefined && country === undefined) return undefined
  const place = placeCondition(filters)
  return sql(
    `SELECT listing.n FROM place CROSS JOIN listing INDEXED BY by_place ON listing.place = place.n WHERE ${place.text}`,
    ...place.values,
  )
}

/** Returns the conditions of a search, each on a row of `listing`. The first says that the public may see it. */
export const conditionsOf = (search: PreparedSearch): Sql[] =>
  namedConditions(search).map(({ condition }) => condition)

const namedConditions = ({ filters, now }: PreparedSearch): Condition[] => [
  { condition: sql('until > ?', Date.parse(now)) },
  ...comparisons(filters),
  ...places(filters),
  ...texts(filters),
  ...areas(filters),
]

/** A condition, with the name of its filter if listings are also counted without that filter. */
type Condition = { name?: FilterName; condition: Sql }

/** Returns the conditions of the compared fields, and that of the agent. */
function comparisons(filters: SearchFilters): Condition[] {
  const given: Readonly<Record<string, unknown>> = filters
  return [
    ...(filters.agent === undefined ? [] : [{ condition: sql(AGENT, filters.agent) }]),
    ...Object.entries(COMPARED_FILTERS).flatMap(([name, filter]) => comparison(filter, given[name])),
  ]
}

/** Returns the condition of a filter; none without a value. */
function comparison(filter: ComparedFilter, given: unknown): Condition[] {
  const values = [given].flat().filter((each) => typeof each === 'string' || typeof each === 'number')
  if (values.length === 0) return []
  const { facet, stored } = filter
  const text = filter.kind === 'anyOf' ? `${filter.column} IN (${placeholders(values)})` : filter.condition
  const condition = sql(text, ...(stored ? values.map((each) => stored(`${each}`)) : values))
  return [{ ...(facet && { name: facet }), condition }]
}

function places(filters: SearchFilters): Condition[] {
  const inPlace = (named: Partial<SearchFilters>): Sql => {
    const { text, values } = placeCondition({ ...filters, ...named })
    return sql(`place IN (SELECT n FROM place WHERE ${text})`, ...values)
  }
  return [
    ...(filters.country === undefined ? [] : [{ condition: inPlace({ city: undefined }) }]),
    ...(filters.city === undefined
      ? []
      : [{ name: 'city' as const, condition: inPlace({ country: undefined }) }]),
  ]
}

function texts({ words, features }: SearchFilters): Condition[] {
  const matched = matching(words)
  return [
    ...(words.length === 0 ? [] : [{ condition: sql(`listing.n IN (${matched.text})`, ...matched.values) }]),
    ...features.map((key) => ({
      name: 'features' as const,
      condition: sql(`features IN (${SETS_WITH_FEATURE})`, key),
    })),
  ]
}

const areas = ({ box, near }: SearchFilters): Condition[] => [
  ...(box ? [{ condition: withinBox(box) }] : []),
  ...(near ? aroundPoint(near) : []),
]

/** Returns the conditions of a circle. The first spares most rows the computed distance. */
const aroundPoint = ({ origin, radiusKm }: NonNullable<SearchFilters['near']>): Condition[] => [
  { condition: withinBox(boxAround(origin, radiusKm)) },
  { condition: sql('km(?, ?, lat, lng) <= ?', origin.lat, origin.lng, radiusKm) },
]

/** Returns the source of a search's rows: those of the narrowest filter where there is one, else every row. */
export const sourceOf = (search: PreparedSearch): Sql => sourceBy(search.filters, search, conditionsOf)

/** Returns the rows that pass every filter of a search, and those that fail only one of the named filters. */
export function nearlyFound(search: PreparedSearch, names: readonly FilterName[]): NearlyFound {
  const isNamed = ({ name }: Condition) => name !== undefined && names.includes(name)
  // In SQLite a condition has the value 1 or 0, so `count` sums up to the number of failed filters. Where that is 1,
  // `failedPlace` sums up to the place of the failed filter among `names`, from 1.
  const all = namedConditions(search)
  const failures = names.flatMap((name, index) => {
    const own = all.filter((condition) => condition.name === name).map(({ condition }) => condition)
    if (own.length === 0) return []
    const { text, values } = joined(own, ' AND ')
    return [{ place: index + 1, failing: sql(`((${text}) IS NOT TRUE)`, ...values) }]
  })
  if (failures.length === 0) return { source: sourceOf(search), failedPlace: sql('0') }
  const count = joined(
    failures.map(({ failing }) => failing),
    ' + ',
  )
  const failedPlace = joined(
    failures.map(({ place, failing }) => sql(`${place} * ${failing.text}`, ...failing.values)),
    ' + ',
  )
  // Rows of other cities are wanted, too, so the rows are not narrowed by the city. A country still narrows them.
  const narrowing = names.includes('city') ? { ...search.filters, city: undefined } : search.filters
  const conditions = (each: PreparedSearch) => [
    ...namedConditions(each)
      .filter((condition) => !isNamed(condition))
      .map(({ condition }) => condition),
    sql(`${count.text} <= 1`, ...count.values),
  ]
  return { source: sourceBy(narrowing, search, conditions), failedPlace }
}

/** Returns rows found by the narrowest of the filters `narrowing`, and then compared with `conditions`. */
function sourceBy(
  narrowing: SearchFilters,
  search: PreparedSearch,
  conditions: (search: PreparedSearch) => Sql[],
): Sql {
  const { filters } = search
  const narrow = narrowest({ ...search, filters: narrowing })
  // Without an agent `narrowest` uses the index of words. It is exact, so its listings need not be compared again.
  const isByWords = filters.agent === undefined && filters.words.length > 0
  const where = joined(
    conditions(isByWords ? { ...search, filters: { ...filters, words: [] } } : search),
    ' AND ',
  )
  // Reading most rows by an index of one of their columns takes several times as long as reading all in order.
  if (!narrow) return sql(`FROM listing NOT INDEXED WHERE ${where.text}`, ...where.values)
  const text = `FROM (${narrow.text}) AS narrow CROSS JOIN listing ON listing.n = narrow.n WHERE ${where.text}`
  return sql(text, ...narrow.values, ...where.values)
}
