import { StoredFields } from '../fields.ts'
import { Listing } from '../listing.ts'

/** Letters that folding changes, in several scripts. */
const TITLE =
  'Villa à Thiès – ÇA İstanbul ẞ Ὀδυσσεύς Дом بيتٌ جميل الشقة أعلى ٣ 東京 ﬁn Đẹp Łódź Sacré\u00adCœur Kadıköy Ɗan'

const COMMON = {
  agentId: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
  status: 'PUBLISHED',
  media: {},
  reasons: [],
  message: null,
  note: null,
  revision: null,
  priceHistory: [],
  version: 3,
  submittedAt: null,
  publishedAt: '2026-11-04T08:30:12.940Z',
  createdAt: '2026-11-03T08:30:12.940Z',
  updatedAt: '2026-11-05T08:30:12.940Z',
}

const LOCATION = { country: 'SN', city: 'Thiès', district: null, address: null, lat: null, lng: null }

/** The fields that publication needs, and no other. */
const LEAST = {
  offer: 'sale',
  category: 'land',
  title: TITLE,
  description: `${TITLE} 12.5`,
  price: { amount: 1, currency: 'JPY' },
  location: { ...LOCATION, precision: 'exact' },
}

const MOST: Readonly<Record<string, unknown>> = {
  ...LEAST,
  offer: 'rent',
  rentPeriod: 'month',
  price: { amount: 150_000, currency: 'XOF' },
  location: { ...LOCATION, district: 'Médina', lat: 14.78912, lng: -16.92634, precision: 'approximate' },
  features: ['Générateur', 'generateur', 'مولّد'],
}

/** Values for the fields that `MOST` leaves out: each field takes the first that fits its schema. */
const CANDIDATES: readonly unknown[] = [7, 'Ça', true]

/**
 * Returns a fixed set of published listings: with every field, and with none that may be empty. The version of the search's
 * schema is a hash of their rows.
 */
export const sampleListings = (): Listing[] => [
  Listing.parse({
    ...COMMON,
    ...Object.fromEntries(
      Object.entries(StoredFields.shape).map(([name, schema]) => [
        name,
        MOST[name] ?? CANDIDATES.find((value) => schema.safeParse(value).success),
      ]),
    ),
    id: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    availability: 'AVAILABLE',
  }),
  Listing.parse({ ...COMMON, ...LEAST, id: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBNE', availability: 'UNDER_OFFER' }),
]
