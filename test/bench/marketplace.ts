import { type Account, NO_FACTORS } from '#lib/accounts/account'
import { UNDECIDED } from '#lib/accounts/kyc-state'
import { timestamp } from '#lib/kernel/clock'
import { idMaker, newId, type UserId } from '#lib/kernel/id'
import { completeFields } from '#lib/listings/fields'
import type { Listing } from '#lib/listings/listing'
import { aMedia } from '#test/support/listings'

// A marketplace as they are: a few large cities and many small ones, listings thicker towards their centres, prices
// that people write down (round ones), by category and city, and agents of whom some have far more than others.

const COUNTRIES = ['CI', 'SN', 'GH', 'NG', 'KE', 'FR', 'ES', 'PT'] as const
const CURRENCY = {
  CI: 'XOF',
  SN: 'XOF',
  GH: 'GHS',
  NG: 'NGN',
  KE: 'KES',
  FR: 'EUR',
  ES: 'EUR',
  PT: 'EUR',
} as const
const CITY_COUNT = 60
const AGENT_COUNT = 300

const KINDS = [
  { category: 'apartment', share: 0.4, bedrooms: [1, 1, 2, 2, 2, 3, 3, 4] },
  { category: 'house', share: 0.2, bedrooms: [2, 3, 3, 3, 4, 4, 5, 6] },
  { category: 'villa', share: 0.08, bedrooms: [3, 4, 4, 5, 6, 8] },
  { category: 'studio', share: 0.08, bedrooms: [0, 1] },
  { category: 'room', share: 0.06, bedrooms: [1] },
  { category: 'land', share: 0.08, bedrooms: [null] },
  { category: 'office', share: 0.06, bedrooms: [null] },
  { category: 'shop', share: 0.04, bedrooms: [null] },
] as const

export type City = {
  name: string
  country: (typeof COUNTRIES)[number]
  lat: number
  lng: number
  weight: number
}

/** The same chance each time: a linear congruential generator. */
export function chance(seed: number) {
  let state = seed
  const next = (): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
  const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T
  /** Bell-shaped around nought. */
  const around = (): number => (next() + next() + next() + next() - 2) * 1.7
  const weighted = <T>(from: readonly T[], weight: (item: T) => number): T => {
    let left = next() * from.reduce((sum, item) => sum + weight(item), 0)
    for (const item of from) {
      left -= weight(item)
      if (left <= 0) return item
    }
    return pick(from)
  }
  return { next, pick, around, weighted }
}

/** A marketplace of so many published listings. */
export function marketplace(size: number) {
  const dice = chance(20_261_120)
  const cities = Array.from(
    { length: CITY_COUNT },
    (_, index): City => ({
      name: `City ${index}`,
      country: COUNTRIES[index % COUNTRIES.length] ?? 'CI',
      lat: 4 + dice.next() * 44,
      lng: -17 + dice.next() * 50,
      weight: 1 / (index + 1),
    }),
  )
  const newId = idMaker(() => new Date('2026-11-01T00:00:00.000Z'))
  const agents = Array.from({ length: AGENT_COUNT }, () => newId('user'))
  const media = [aMedia(), aMedia(), aMedia()]
  const listing = (index: number): Listing => {
    const { category, bedrooms } = dice.weighted(KINDS, ({ share }) => share)
    const city = dice.weighted(cities, ({ weight }) => weight)
    const offer = dice.next() < 0.55 ? 'sale' : 'rent'
    const level = Math.exp(dice.around() * 0.6) * (offer === 'sale' ? 20_000_000 : 100_000)
    const digit = 10 ** (Math.floor(Math.log10(level)) - 1)
    const publishedAt = timestamp(
      new Date(Date.UTC(2026, 0, 1) + Math.floor(dice.next() * 26_000_000) * 1_000),
    )
    const [north, east] = [dice.around(), dice.around()]
    return {
      ...completeFields({
        offer,
        category,
        title: `Listing ${index} of ${city.name}`,
        description: 'Bright and quiet, close to the market and the water. '.repeat(8),
        price: { amount: Math.round(level / digit) * digit, currency: CURRENCY[city.country] },
        bedrooms: dice.pick<number | null>(bedrooms),
        location: {
          country: city.country,
          city: city.name,
          lat: Number((city.lat + north * 0.06).toFixed(6)),
          lng: Number((city.lng + east * 0.06).toFixed(6)),
        },
      }),
      id: newId('listing'),
      agentId: agents[Math.floor(dice.next() ** 2 * agents.length)] as UserId,
      status: 'PUBLISHED',
      media,
      reasons: [],
      message: null,
      note: null,
      revision: null,
      reference: null,
      availability: 'AVAILABLE',
      priceHistory: [],
      version: 3,
      submittedAt: publishedAt,
      publishedAt,
      createdAt: publishedAt,
      updatedAt: publishedAt,
    }
  }
  /** The listings in pieces: a million at once are more than a process holds. */
  function* pieces(length: number): Generator<Listing[]> {
    for (let start = 0; start < size; start += length) {
      yield Array.from({ length: Math.min(length, size - start) }, (_, index) => listing(start + index))
    }
  }
  return { size, cities, agents, pieces }
}

/** An agent whose listings customers see. */
export function anAgent(id: UserId, madeAt: Date): Account {
  const at = timestamp(madeAt)
  const agent = { displayName: 'Agent', agency: null, licenseNumber: null, bio: null, phone: null }
  return {
    ...{
      id,
      version: 1,
      email: 'agent@example.com',
      provenAt: at,
      takenBackAt: null,
      name: 'Agent',
      phone: null,
      locale: 'en',
    },
    ...{
      status: 'ACTIVE',
      banReason: null,
      bannedAt: null,
      eligibilityRevision: 1,
      sessions: {},
      knownNetworks: {},
    },
    ...{ passwordRevision: 0, registration: newId('registration'), deviceRevision: 0, formerAddresses: [] },
    ...{ emailChangeId: null, emailChangesAt: [], listingLimits: null, factors: NO_FACTORS, apiKeys: {} },
    agent: { ...agent, languages: [], serviceAreas: [], createdAt: at, updatedAt: at },
    kyc: { ...UNDECIDED, status: 'VERIFIED' },
    createdAt: at,
    updatedAt: at,
  }
}
