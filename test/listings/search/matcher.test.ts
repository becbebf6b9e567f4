import { expect, it } from 'vitest'
import { filtersOf } from '#lib/listings/search/filters'
import { openMatcher } from '#lib/listings/search/matcher'
import { published } from '#test/support/corpus'

const AGENT = 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND'

it('a matcher finds those of its listings that a search would, and none that customers may not see', () => {
  const draft = {
    offer: 'rent' as const,
    category: 'house' as const,
    price: { amount: 5, currency: 'XOF' as const },
  }
  const location = { country: 'SN', city: 'Thiès', lat: 14.79, lng: -16.93 }
  const house = published(AGENT, { ...draft, location, title: 'House with a pool' })
  const land = published(AGENT, { ...draft, location, category: 'land' })
  const taken = published(AGENT, { ...draft, location }, { availability: 'TAKEN' })
  const matcher = openMatcher([house, land, taken])
  expect(matcher.fitting(filtersOf({ city: 'thies' })).sort()).toEqual([house.id, land.id].sort())
  expect(matcher.fitting(filtersOf({ q: 'POOL hous' }))).toEqual([house.id])
  expect(matcher.fitting(filtersOf({ near: '14.79,-16.93', radiusKm: 1, category: ['land'] }))).toEqual([
    land.id,
  ])
  matcher.close()
})
