import * as z from 'zod'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { beginsEach, wordsOf } from '#lib/kernel/folded-text'
import { queryNumber } from '#lib/kernel/query-number'
import { CountryInAnyCase } from '../country.ts'
import { type CountedPlace, citiesAmong, countPlaces } from './facets.ts'
import { filtersOf, SearchWords } from './filters.ts'
import type { Replica } from './replica.ts'
import { byCount, gatherSpellings } from './spellings.ts'

const PLACES_MAX = 20

/** The beginning of a place's name, as people type it. */
export const PlacesQuery = z.object({
  q: SearchWords.optional(),
  country: CountryInAnyCase.optional(),
  limit: queryNumber(z.number().int().min(1).max(PLACES_MAX).default(PLACES_MAX)),
})

/** Cities and districts with public listings. */
export const Places = z.object({
  items: z.array(
    z
      .object({
        country: z.string().meta({ example: 'CI' }),
        city: z.string().meta({ example: 'Abidjan' }),
        district: z.string().nullable().meta({ description: 'Null for the whole city', example: 'Cocody' }),
        count: z.int().meta({ example: 12 }),
      })
      .meta({ id: 'Place' }),
  ),
})
type PlaceNames = Omit<z.infer<typeof Places>['items'][number], 'count'>

/** Lists cities and districts with public listings by the words of their names, most listings first. */
export async function listPlaces(
  { replica, now }: { replica: Replica; now: Clock },
  { q, country, limit }: z.infer<typeof PlacesQuery>,
): Promise<z.infer<typeof Places>> {
  const copy = await replica.upToDate()
  const places = countPlaces(copy, { filters: filtersOf({ country }), now: timestamp(now()) })
  const words = q === undefined ? [] : wordsOf(q)
  const cities = citiesAmong(places)
  // A district is listed under the most frequent spelling of its city.
  const cityNames = new Map(cities.map(({ names }) => [cityId(names), names.city]))
  const districts = gatherSpellings(
    places.filter(({ names }) => names.district !== ''),
    // A name holds spaces, but no line break.
    (names) => `${cityId(names)}\n${names.districtKey}`,
    ({ district }) => district,
  )
  const cityRows = cities
    .filter(({ names }) => beginsEach(words, names.city))
    .map(({ names: { country, city }, count }) => ({ names: { country, city, district: null }, count }))
  const districtRows = districts
    .filter(({ names }) => beginsEach(words, `${names.city} ${names.district}`))
    .map(({ names, count }) => {
      const { country, district } = names
      const city = cityNames.get(cityId(names)) ?? names.city
      return { names: { country, city, district }, count }
    })
  // Equal counts are sorted by city, district and country.
  const rows = [...cityRows, ...districtRows].sort(
    byCount<PlaceNames>(
      ({ city }) => city,
      ({ district }) => district ?? '',
      ({ country }) => country,
    ),
  )
  return { items: rows.slice(0, limit).map(({ names, count }) => ({ ...names, count })) }
}

type Names = CountedPlace['names']

const cityId = ({ country, cityKey }: Names): string => `${country} ${cityKey}`
