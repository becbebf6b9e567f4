import { FIELD_WORDS } from '#lib/listings/field-words'
import type { Schema } from '../api/schemas.ts'
import { count, money } from '../parts/format.ts'
import { codes, readerLocale, words } from '../words/words.ts'

type Listing = Schema<'Listing'>
type Changes = NonNullable<Listing['revision']>['changes']

const countries = new Intl.DisplayNames([readerLocale], { type: 'region' })

/** Returns a country's name in the reader's language. */
const countryName = (code: string): string => {
  try {
    return countries.of(code) ?? code
  } catch {
    return code
  }
}

/** Writes a place on one line, the smallest part first. */
export const placeText = (place: Listing['location']): string =>
  place === null
    ? ''
    : [place.address, place.district, place.city, countryName(place.country)].filter(Boolean).join(', ')

/** Returns a price with its period. */
export const priceText = ({ price, rentPeriod }: Pick<Listing, 'price' | 'rentPeriod'>): string => {
  if (price === null) return ''
  const period = rentPeriod === null ? '' : words.listings.perPeriod[rentPeriod]
  return [money(price.amount, price.currency), period].filter(Boolean).join(' ')
}

type Field = keyof (typeof FIELD_WORDS)['en']

/** The names of all fields. */
export const FIELDS = Object.keys(FIELD_WORDS.en) as Field[]

/** The texts of the fields that are no plain text, number or list. */
const TEXTS: Partial<Record<Field, (listing: Listing) => string>> = {
  offer: ({ offer }) => codes.offer[offer],
  category: ({ category }) => codes.category[category],
  price: ({ price }) => priceText({ price, rentPeriod: null }),
  rentPeriod: ({ rentPeriod }) => (rentPeriod === null ? '' : words.listings.perPeriod[rentPeriod]),
  location: ({ location }) => placeWithPoint(location),
}

/** Returns a field of a listing as text; empty for a field without a value. */
export const fieldText = (listing: Listing, field: Field): string =>
  TEXTS[field]?.(listing) ?? plainText(listing[field])

function plainText(value: unknown): string {
  if (typeof value === 'number') return count(value)
  return [value ?? []].flat().join(', ')
}

/** Returns the fields of a listing that a moderator judges, each as text. */
export const fieldTexts = (listing: Listing): Record<string, string> => ({
  ...Object.fromEntries(FIELDS.map((field) => [field, fieldText(listing, field)])),
  status: codes.listingStatus[listing.status],
  media: listing.media.map(({ id, caption }) => caption ?? id).join(', '),
})

const placeWithPoint = (place: Listing['location']): string => {
  if (place === null || place.lat === null || place.lng === null) return placeText(place)
  return [placeText(place), `${place.lat}, ${place.lng}`].join(' · ')
}

/** Returns a listing as its revision will make it, except media and captions: `media` already holds the added ones. */
export const withRevision = (listing: Listing, { media: _, captions: __, ...fields }: Changes): Listing => ({
  ...listing,
  ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
})
