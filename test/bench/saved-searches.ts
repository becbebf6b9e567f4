import { openTable } from '#lib/dynamo/table'
import { type Clock, secondsAfter, timestamp } from '#lib/kernel/clock'
import { newId, type UserId } from '#lib/kernel/id'
import { nextMorning } from '#lib/kernel/morning'
import { openListings } from '#lib/listings/listing-store.dynamo'
import { connectLocally } from '#lib/local/dynamodb'
import { matchListings } from '#lib/saved-searches/match-listings'
import { openMatches } from '#lib/saved-searches/match-store.dynamo'
import type { SavedSearch } from '#lib/saved-searches/saved-search'
import { openSavedSearches } from '#lib/saved-searches/saved-search-store.dynamo'
import { searchAlerts } from '#lib/saved-searches/send-alerts'
import { loadedTable, puts, TABLE_NAME, unsent } from './loaded-table.ts'
import { anAgent, chance, marketplace } from './marketplace.ts'

// `npm run bench:saved-searches`: a day's new listings (the first argument, 10,000 by default) with the saved searches of so many
// people (the second, 100,000): all are matched at once, and the alerts sent of the next morning. Never in `npm test`.

const LISTINGS = Number(process.argv[2] ?? 10_000)
const SEARCHES = Number(process.argv[3] ?? 100_000)
const SHOWN_EVERY = 1_000

const dice = chance(11)
const { cities, agents, pieces } = marketplace(LISTINGS)
const begunAt = secondsAfter(new Date(), -3600)

/** A search as people save one: a part of a city or the whole of it, a kind, a size and a price. One in ten names no country. */
function aSearch(): SavedSearch {
  const { name: city, country, lat, lng } = dice.weighted(cities, ({ weight }) => weight)
  const near = [lat + dice.around() * 0.06, lng + dice.around() * 0.06].map((at) => at.toFixed(4)).join()
  const since = timestamp(begunAt)
  return {
    id: newId('savedSearch'),
    userId: newId('user'),
    name: city,
    filters: {
      ...(dice.next() < 0.9 && { country }),
      ...(dice.next() < 0.5 ? { city } : { near, radiusKm: dice.pick([1, 2, 5]) }),
      offer: dice.pick(['sale', 'rent']),
      category: [dice.pick(['apartment', 'house', 'villa', 'studio', 'land'])],
      ...(dice.next() < 0.6 && { bedrooms: dice.pick([1, 2, 3, 4]) }),
      ...(dice.next() < 0.2 && { q: dice.pick(['market', 'water', 'garden']) }),
    },
    alert: dice.pick(['instant', 'daily']),
    createdAt: since,
    lastAlertAt: null,
    since,
    sentUpTo: since,
    version: 1,
  }
}

function* itemsOfTheDay() {
  const [searches, listings, matches] = [openSavedSearches(unsent), openListings(unsent), openMatches(unsent)]
  for (let count = 0; count < SEARCHES; count += 1) yield puts(searches.insert(aSearch()))
  let place = 0
  for (const piece of pieces(500)) {
    for (const listing of piece) {
      place += 1
      const at = timestamp(new Date(begunAt.getTime() + place))
      const changed = { listingId: listing.id, at, before: null }
      yield puts([...listings.insert(listing), matches.addChanged(changed)])
    }
  }
}

const accounts = new Map(agents.map((id) => [id, anAgent(id, begunAt)]))

const dynamo = await loadedTable(itemsOfTheDay())
try {
  const table = openTable(TABLE_NAME, connectLocally(dynamo.endpoint))
  const matches = openMatches(table)
  let compared = 0
  const startedAt = performance.now()
  const secondsSince = (moment: number) => Math.round((performance.now() - moment) / 1000)
  const now: Clock = () => new Date()
  const deps = {
    matches: {
      ...matches,
      dropChanged: async (changed: Parameters<typeof matches.dropChanged>[0]) => {
        const before = Math.floor(compared / SHOWN_EVERY)
        compared += changed.length
        if (Math.floor(compared / SHOWN_EVERY) > before)
          console.log(`${compared} listings after ${secondsSince(startedAt)} s`)
        await matches.dropChanged(changed)
      },
    },
    listings: openListings(table),
    accounts: { getMany: async (ids: readonly UserId[]) => ids.flatMap((id) => accounts.get(id) ?? []) },
    searches: openSavedSearches(table),
    now,
    newId,
  }
  const processor = process.cpuUsage()
  const { matched } = await matchListings(deps)
  const { user, system } = process.cpuUsage(processor)
  const [matchSeconds, morningAt] = [secondsSince(startedAt), performance.now()]
  const morning = new Date(nextMorning(new Date()))
  const { sent } = await searchAlerts(deps, () => morning)
  console.log({
    listings: LISTINGS,
    searches: SEARCHES,
    matched,
    matchSeconds,
    matchProcessorSeconds: Math.round((user + system) / 1_000_000),
    sent,
    sendSeconds: secondsSince(morningAt),
    residentMebibytes: Math.round(process.memoryUsage.rss() / 2 ** 20),
  })
} finally {
  await dynamo.stop()
}
