import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { EventId, ListingId, UserId } from '#lib/kernel/id'
import { Money } from '#lib/kernel/money'
import { text } from '#lib/kernel/text'
import { Media, MediaView, WaitingMediaView } from '#lib/listings/media/media'

export const ListingStatus = z
  .enum(['DRAFT', 'PENDING_REVIEW', 'PUBLISHED', 'REJECTED', 'SUSPENDED', 'ARCHIVED'])
  .meta({ id: 'ListingStatus' })
export type ListingStatus = z.infer<typeof ListingStatus>

export const Offer = z.enum(['sale', 'rent'])
export const Category = z.enum([
  'apartment',
  'house',
  'villa',
  'studio',
  'room',
  'land',
  'office',
  'shop',
  'warehouse',
  'other',
])
export const RentPeriod = z.enum(['day', 'week', 'month', 'year'])

/** An ISO 3166-1 alpha-2 code, upper case. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code')
  .refine(isCountry, 'must be an ISO 3166-1 alpha-2 code')

/** The table holds no number nearer to nought than 1E-130: there it is nought, a hair's breadth away. */
const degrees = (max: number) =>
  z
    .number()
    .min(-max)
    .max(max)
    .overwrite((value) => (Math.abs(value) < 1e-100 ? 0 : value))

/** Where a property is. Coordinates come in pairs. */
export const Location = z
  .object({
    country: Country,
    city: text({ max: 120 }),
    district: text({ max: 120 }).nullish(),
    address: text({ max: 300 }).nullish(),
    lat: degrees(90).nullish(),
    lng: degrees(180).nullish(),
  })
  .refine(({ lat, lng }) => ((lat ?? null) === null) === ((lng ?? null) === null), {
    path: ['lat'],
    message: 'comes with lng',
  })

/** Assigned codes only: a region that has no name of its own is none. */
function isCountry(code: string): boolean {
  return COUNTRIES.has(code)
}

const COUNTRIES = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
)

/** What an agent may say of a property; the bounds apply to what is given. */
export const ListingDraft = z.object({
  offer: Offer,
  category: Category,
  title: text({ min: 3, max: 120 }).nullish(),
  description: text({ min: 20, max: 5000 }).nullish(),
  price: Money.nullish(),
  rentPeriod: RentPeriod.nullish(),
  location: Location.nullish(),
  bedrooms: z.int().min(0).max(100).nullish(),
  bathrooms: z.int().min(0).max(100).nullish(),
  areaSqm: z.number().min(1).max(100_000_000).nullish(),
  features: z
    .array(text({ max: 40 }))
    .max(50)
    .nullish(),
})
export type ListingDraft = z.infer<typeof ListingDraft>

/** Why a moderator decided as they did; `owner_not_verified` is the service's own, see `Listing.reasons`. */
export const ModerationReason = z
  .enum([
    'duplicate',
    'misleading',
    'wrong_category',
    'wrong_price',
    'wrong_location',
    'poor_media',
    'contact_details_in_text',
    'prohibited_content',
    'discrimination',
    'suspected_fraud',
    'not_available',
    'other',
  ])
  .meta({ id: 'ModerationReason' })

/** The reason of a suspension that came of the owner's standing, and goes with it. */
export const OWNER_NOT_VERIFIED = 'owner_not_verified'

const StoredLocation = z.object({
  country: z.string(),
  city: z.string(),
  district: z.string().nullable(),
  address: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
})

/** What an agent says of a property, complete: whatever is not said is null. */
export const ListingFields = z.object({
  offer: Offer,
  category: Category,
  title: z.string().nullable(),
  description: z.string().nullable(),
  price: Money.nullable(),
  rentPeriod: RentPeriod.nullable(),
  location: StoredLocation.nullable(),
  bedrooms: z.int().nullable(),
  bathrooms: z.int().nullable(),
  areaSqm: z.number().nullable(),
  features: z.array(z.string()),
})
export type ListingFields = z.infer<typeof ListingFields>

/** Changes to a live listing that wait for a moderator; what waits of its media is kept with them. */
export const Revision = z.object({ changes: ListingFields.partial(), submittedAt: Timestamp })
export type Revision = z.infer<typeof Revision>

/** What waits, media included, as owner and administrators see it: only what changes is there. */
export const RevisionView = z.object({
  changes: ListingFields.partial().extend(WaitingMediaView.shape),
  submittedAt: Timestamp,
})
export type RevisionView = z.infer<typeof RevisionView>

/** A listing's one record, its media included: what a page shows is one read, and every change has one version. */
export const Listing = ListingFields.extend({
  id: ListingId,
  agentId: UserId,
  status: ListingStatus,
  media: z.array(Media),
  /** Why the newest decision was taken: a moderator's codes, or `owner_not_verified`. */
  reasons: z.array(z.string()),
  message: z.string().nullable(),
  note: z.string().nullable(),
  revision: Revision.nullable(),
  /** The writing of search entries that counts; whatever else is found of this listing is out of date. */
  indexedAs: EventId.nullable(),
  /** Rises with every change; the strong `ETag`. */
  version: z.int(),
  submittedAt: Timestamp.nullable(),
  publishedAt: Timestamp.nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Listing = z.infer<typeof Listing>

/** A listing as customers see it. */
export const ListingView = z
  .object({
    id: ListingId,
    status: ListingStatus,
    agent: z.object({ userId: UserId, displayName: z.string(), agency: z.string().nullable() }),
    ...ListingFields.shape,
    media: z.array(MediaView),
    publishedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    reasons: z.array(z.string()).optional().meta({ description: 'For owner and administrators' }),
    message: z.string().nullable().optional().meta({ description: 'For owner and administrators' }),
    note: z.string().nullable().optional().meta({ description: 'For administrators' }),
    revision: RevisionView.nullable().optional().meta({ description: 'For owner and administrators' }),
  })
  .meta({ id: 'Listing' })
export type ListingView = z.infer<typeof ListingView>

/** The fields of a draft as they are kept: what is not said is null, and a rent has a period. */
export const completeFields = (draft: ListingDraft): ListingFields => ({
  offer: draft.offer,
  category: draft.category,
  title: draft.title ?? null,
  description: draft.description ?? null,
  price: draft.price ?? null,
  rentPeriod: draft.offer === 'rent' ? (draft.rentPeriod ?? 'month') : null,
  location: draft.location
    ? {
        country: draft.location.country,
        city: draft.location.city,
        district: draft.location.district ?? null,
        address: draft.location.address ?? null,
        lat: draft.location.lat ?? null,
        lng: draft.location.lng ?? null,
      }
    : null,
  bedrooms: draft.bedrooms ?? null,
  bathrooms: draft.bathrooms ?? null,
  areaSqm: draft.areaSqm ?? null,
  features: [...new Set(draft.features ?? [])],
})

/** The strong entity tag of a listing. */
export const etagOf = ({ version }: Listing): string => `"${version}"`
