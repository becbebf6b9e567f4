import type { City, chance, Marketplace } from './marketplace.ts'

type Dice = ReturnType<typeof chance>

/** A kind of query: how often it is asked among a hundred, nought for those that are printed apart. */
export type Query = {
  name: string
  weight: number
  make: (market: Marketplace, dice: Dice) => Record<string, string | number>
}

const CATEGORIES = ['apartment', 'apartment', 'house', 'villa', 'studio', 'land'] as const

const city = ({ cities }: Marketplace, dice: Dice): City => dice.weighted(cities, ({ weight }) => weight)
const offer = (dice: Dice) => dice.pick(['sale', 'rent'] as const)
const inCity = (market: Marketplace, dice: Dice) => {
  const { name, country } = city(market, dice)
  return { city: name, country, offer: offer(dice) }
}
const category = (dice: Dice) => ({ category: dice.pick(CATEGORIES) })
const CURRENCY: Record<string, string> = { CI: 'XOF', SN: 'XOF', GH: 'GHS', NG: 'NGN', KE: 'KES' }
const priced = <Place extends { country: string; offer: string }>(place: Place, dice: Dice) => {
  const level = place.offer === 'sale' ? 20_000_000 : 100_000
  return {
    ...place,
    currency: CURRENCY[place.country] ?? 'EUR',
    minPrice: Math.round(level * (0.4 + dice.next() * 0.3)),
    maxPrice: Math.round(level * (1.5 + dice.next())),
  }
}
const near = (market: Marketplace, dice: Dice) => {
  const { lat, lng } = city(market, dice)
  return {
    near: `${(lat + dice.around() * 0.05).toFixed(5)},${(lng + dice.around() * 0.05).toFixed(5)}`,
    offer: offer(dice),
    radiusKm: dice.pick([5, 10, 10, 25]),
  }
}

/** What customers ask. */
export const QUERIES: readonly Query[] = [
  { name: 'newest of all', weight: 8, make: () => ({}) },
  {
    name: 'newest of a country, by offer',
    weight: 6,
    make: (market, dice) => ({ country: city(market, dice).country, offer: offer(dice) }),
  },
  { name: 'newest of a city', weight: 18, make: inCity },
  {
    name: 'newest of a city and category',
    weight: 16,
    make: (market, dice) => ({ ...inCity(market, dice), ...category(dice) }),
  },
  {
    name: 'newest of a city, 1 to 4 bedrooms at least',
    weight: 10,
    make: (market, dice) => ({ ...inCity(market, dice), bedrooms: dice.pick([1, 2, 2, 3, 3, 4]) }),
  },
  {
    name: 'by price in a city and category',
    weight: 10,
    make: (market, dice) => ({ ...priced(inCity(market, dice), dice), ...category(dice), sort: 'price' }),
  },
  {
    name: 'by price in a city, 2 bedrooms at least',
    weight: 6,
    make: (market, dice) => ({ ...priced(inCity(market, dice), dice), bedrooms: 2, sort: 'price' }),
  },
  {
    name: 'dearest first in a city',
    weight: 3,
    make: (market, dice) => ({ ...priced(inCity(market, dice), dice), sort: '-price' }),
  },
  { name: 'an agent’s', weight: 5, make: ({ agents }, dice) => ({ agent: dice.pick(agents).id }) },
  { name: 'near, 5 to 25 km', weight: 12, make: near },
  {
    name: 'near, of a category',
    weight: 6,
    make: (market, dice) => ({ ...near(market, dice), category: 'apartment' }),
  },
  {
    name: 'apart: newest of a city in a price range',
    weight: 0,
    make: (market, dice) => priced(inCity(market, dice), dice),
  },
]
