import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { NEVER, timestamp } from '#lib/kernel/clock'
import { prepareSearch } from '#lib/listings/search/conditions'
import { openCopy, type SearchCopy } from '#lib/listings/search/copy'
import { countFacets } from '#lib/listings/search/facets'
import { filtersOf, type GivenFilters } from '#lib/listings/search/filters'
import { mapListings } from '#lib/listings/search/map'
import { listPlaces } from '#lib/listings/search/places'
import { countTotal, readPage } from '#lib/listings/search/read-page'
import type { SearchOrder } from '#lib/listings/search/search-query'
import { wholeChangeOf } from '#lib/listings/search/search-row'
import { type City, chance, marketplace } from './marketplace.ts'

// What searches take on a copy of so many public listings with texts (argument, 100,000 by default): `npm run bench -- search`.
// Times are of the processor: a function answers one request at a time. The two waits for DynamoDB come on top.

const size = Number(process.argv[2] ?? 100_000)
const rounds = Number(process.argv[3] ?? 1_000)
const now = () => new Date('2026-11-20T12:00:00.000Z')
const dice = chance(7)

const { cities, agents, pieces } = marketplace(size)
const WORDS = Array.from({ length: 4_000 }, (_, index) => `${wordOf(index * 7_919)}${wordOf(index)}`)
const FEATURES = [
  'pool',
  'garden',
  'balcony',
  'lift',
  'garage',
  'terrace',
  'furnished',
  'sea view',
  'guarded',
  'solar',
]

function wordOf(number: number): string {
  let [text, left] = ['', number % 20_011]
  for (let place = 0; place < 3; place += 1) {
    text += 'bdfgklmnprstvz'[left % 14] ?? ''
    text += 'aeiou'[(left >> 4) % 5] ?? ''
    left = Math.floor(left / 14)
  }
  return text
}

/** Few words are in most texts, most words in few. */
const aWord = (): string => WORDS[Math.floor(dice.next() ** 3 * WORDS.length)] ?? 'pool'

const milliseconds = (work: () => void): number => {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}

const built = openCopy()
const building = milliseconds(() => {
  built.apply(
    agents.map((subject) => ({ subject, version: 1, until: NEVER })),
    0,
  )
  for (const piece of pieces(10_000)) {
    built.apply(
      piece.map((listing) => {
        const description = Array.from({ length: 95 }, aWord).join(' ')
        const features = FEATURES.filter(() => dice.next() < 0.3)
        const areaSqm = 20 + Math.floor(dice.next() * 300)
        return wholeChangeOf({ ...listing, description, features, areaSqm })
      }),
      0,
    )
  }
})

let packed: Uint8Array = new Uint8Array()
const packing = milliseconds(() => {
  packed = built.pack(0)
})
let compressed: Buffer = Buffer.alloc(0)
const compressing = milliseconds(() => {
  compressed = zstdCompressSync(packed)
})
built.close()
const opened: { copy?: SearchCopy } = {}
const decompressing = milliseconds(() => zstdDecompressSync(compressed))
const opening = milliseconds(() => {
  opened.copy = openCopy(zstdDecompressSync(compressed))
})
const { copy } = opened
if (!copy) throw new Error('The copy was not opened')

const mib = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
console.log(`${size} listings, built in ${Math.round(building)} ms`)
console.log(
  `packed ${mib(packed.byteLength)} MiB in ${Math.round(packing)} ms, ${mib(compressed.byteLength)} MiB compressed in ${Math.round(compressing)} ms`,
)
console.log(
  `decompressed in ${Math.round(decompressing)} ms, decompressed and opened in ${Math.round(opening)} ms, resident ${mib(process.memoryUsage.rss())} MiB`,
)

const aCity = (): City => dice.weighted(cities, ({ weight }) => weight)
const sometimes = <T>(share: number, value: () => T): T | undefined =>
  dice.next() < share ? value() : undefined

function someFilters(): GivenFilters {
  const { name, country, lat, lng } = aCity()
  const place = dice.pick(['city', 'country', 'box', 'near', 'none'] as const)
  const reach = dice.pick([0.02, 0.1, 1, 10])
  return filtersWithout({
    offer: sometimes(0.6, () => dice.pick(['sale', 'rent'] as const)),
    category: sometimes(0.3, () => [dice.pick(['apartment', 'house', 'villa', 'land'] as const)]),
    city: place === 'city' ? name : undefined,
    country: place === 'country' ? country : undefined,
    bbox:
      place === 'box'
        ? [lng - reach, lat - reach, lng + reach, lat + reach].map((at) => at.toFixed(4)).join()
        : undefined,
    near: place === 'near' ? `${lat.toFixed(4)},${lng.toFixed(4)}` : undefined,
    radiusKm: place === 'near' ? dice.pick([2, 10, 50, 200]) : undefined,
    currency: sometimes(0.4, () => 'XOF' as const),
    bedrooms: sometimes(0.3, () => dice.pick([1, 2, 3, 5])),
    minArea: sometimes(0.15, () => 40),
    features: sometimes(0.2, () => [dice.pick(FEATURES)]),
    q: sometimes(0.25, () =>
      dice.next() < 0.5 ? aWord().slice(0, dice.pick([1, 2, 3, 5])) : `${aWord()} ${aWord()}`,
    ),
    publishedSince: sometimes(0.05, () => timestamp(new Date('2026-09-01T00:00:00Z'))),
  })
}

const filtersWithout = (filters: GivenFilters): GivenFilters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined))

function orderOf({ near, currency }: GivenFilters): SearchOrder {
  if (near !== undefined && dice.next() < 0.8) return 'distance'
  return dice.pick(
    currency === undefined ? ['newest', 'newest', 'area', '-area'] : ['newest', 'price', '-price', '-area'],
  )
}

const replica = { upToDate: async () => copy }

async function measured(name: string, work: (given: GivenFilters) => unknown): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const given = someFilters()
    const start = process.cpuUsage()
    await work(given)
    const { user, system } = process.cpuUsage(start)
    times.push((user + system) / 1000)
  }
  times.sort((one, other) => one - other)
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1)
  console.log(`${name.padEnd(20)} p50 ${at(0.5)} ms, p90 ${at(0.9)}, p99 ${at(0.99)}, most ${at(1)}`)
}

const askOf = (given: GivenFilters) => prepareSearch(copy, filtersOf(given), timestamp(now()))

await measured('a page and its total', (given) => {
  const search = askOf(given)
  const total = countTotal(copy, search)
  const page = { order: orderOf(given), limit: 21, after: undefined, total }
  return readPage(copy, search, page)
})
await measured('facets', (given) => countFacets({ replica, now }, given))
await measured('the map', ({ near: _near, radiusKm: _radiusKm, ...given }) => {
  const { lat, lng } = aCity()
  const reach = dice.pick([0.05, 0.5, 5])
  const zoom = { 0.05: 13, 0.5: 10, 5: 7 }[reach] ?? 7
  const bbox = [lng - reach, lat - reach, lng + reach, lat + reach].map((at) => at.toFixed(4)).join()
  return mapListings({ replica, now }, { ...given, bbox, zoom })
})
await measured('places', () =>
  listPlaces({ replica, now }, { q: dice.pick(['ci', 'city', 'city 1', 'c']), limit: 20 }),
)
copy.close()
