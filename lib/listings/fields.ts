import * as z from 'zod'
import { Money } from '#lib/kernel/money'
import { text } from '#lib/kernel/text'
import { completeLocation, Location, SentLocation } from './location.ts'

export const Offer = z.enum(['sale', 'rent']).meta({ id: 'Offer', example: 'rent' })
export const Category = z
  .enum(['apartment', 'house', 'villa', 'studio', 'room', 'land', 'office', 'shop', 'warehouse', 'other'])
  .meta({ id: 'Category' })
export const RentPeriod = z
  .enum(['day', 'week', 'month', 'year'])
  .meta({ id: 'RentPeriod', example: 'month' })

/** A field that every listing has. */
const required = <Schema extends z.ZodType>(schema: Schema) => ({
  sent: schema,
  shown: schema,
  stored: schema,
})

/** A field that may be left out or null: it is stored and shown as null. */
const optional = <Sent extends z.ZodType, Shown extends z.ZodType>(
  sent: Sent,
  shown: Shown,
  example?: unknown,
) => ({
  sent: sent.nullish(),
  shown: shown.nullable().meta({ example }),
  stored: shown.nullish().transform((value) => value ?? null),
})

/** A list that may be left out or null: it is stored and shown as empty. */
const list = <Item extends z.ZodType>(item: Item, max: number) => ({
  sent: z.array(item).max(max).nullish(),
  shown: z.array(z.string()).meta({ example: ['parking', 'generator'] }),
  stored: z.array(z.string()).default([]),
})

/** A field that the card of a listing shows, too. */
const onCard = <Field extends object>(field: Field) => ({ ...field, isOnCard: true as const })

/**
 * The fields of a listing, each once: as agents send it (`sent`), as the API shows it (`shown`) and as the table stores
 * it (`stored`). Drafts, patches, records, views, cards and revisions derive from this object.
 */
const FIELDS = {
  offer: onCard(required(Offer)),
  category: onCard(required(Category)),
  title: onCard(optional(text({ min: 3, max: 120 }), z.string(), 'Three-bedroom apartment in Cocody')),
  description: optional(
    text({ min: 20, max: 5000 }),
    z.string(),
    'Third floor, two minutes from the lagoon, with a generator and a guarded car park.',
  ),
  price: onCard(optional(Money, Money)),
  rentPeriod: onCard(optional(RentPeriod, RentPeriod)),
  // A card shows a location without its address, see `ListingCard`.
  location: optional(SentLocation, Location),
  bedrooms: onCard(optional(z.int().min(0).max(100), z.int(), 3)),
  bathrooms: onCard(optional(z.int().min(0).max(100), z.int(), 2)),
  areaSqm: onCard(optional(z.number().min(1).max(100_000_000), z.number(), 92)),
  features: list(text({ max: 40 }), 50),
}

type Fields = typeof FIELDS
type SchemasFor<Name extends 'sent' | 'shown' | 'stored'> = { [Field in keyof Fields]: Fields[Field][Name] }

/** Returns one schema of every field. TypeScript forgets the names in `Object.fromEntries`, hence the cast. */
const schemasFor = <Name extends 'sent' | 'shown' | 'stored'>(name: Name) =>
  Object.fromEntries(
    Object.entries(FIELDS).map(([field, schemas]) => [field, schemas[name]]),
  ) as SchemasFor<Name>

type CardFields = {
  [Field in keyof Fields as Fields[Field] extends { isOnCard: true } ? Field : never]: true
}

/** The names of the fields that a card shows, as a mask for `pick`. */
export const CARD_FIELDS: CardFields = Object.assign(
  {},
  ...Object.entries(FIELDS).map(([name, field]) => ('isOnCard' in field ? { [name]: true } : {})),
)

/** An agent's own name for a listing, compared exactly. */
export const Reference = text({ max: 100 })
  .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
  .meta({
    minLength: 1,
    maxLength: 100,
    description:
      'The agent’s own name for the listing, unique among those of theirs that are not ARCHIVED. Owner and ' +
      'administrators see it.',
    example: 'ABJ-2041',
  })

const sent = { ...schemasFor('sent'), reference: Reference.nullish() }

/** A new listing as an agent sends it; the bounds apply to the fields that are given. */
export const ListingDraft = z.object(sent).meta({
  id: 'ListingDraft',
  example: {
    offer: 'rent',
    title: 'Three-bedroom apartment in Cocody',
    description: 'Third floor, two minutes from the lagoon, with a generator and a guarded car park.',
    price: { amount: 150_000, currency: 'XOF' },
    rentPeriod: 'month',
    location: { district: 'Cocody', precision: 'approximate' },
    bedrooms: 3,
    features: ['parking', 'generator'],
    reference: 'ABJ-2041',
  },
})
export type ListingDraft = z.infer<typeof ListingDraft>

/** Changes to a listing: an absent field stays, null clears. A location is one value and is replaced whole. */
export const ListingPatch = z
  .object(sent)
  .partial()
  .meta({
    id: 'ListingPatch',
    example: { price: { amount: 140_000, currency: 'XOF' }, features: ['parking', 'generator', 'lift'] },
  })
export type ListingPatch = z.infer<typeof ListingPatch>

/** The fields as every answer shows them: a field that was not sent is null. */
export const ShownFields = z.object(schemasFor('shown'))
export type ListingFields = z.infer<typeof ShownFields>

/** The fields as the table stores them. */
export const StoredFields = z.object(schemasFor('stored'))

/** Completes a draft: a field that was not sent is null, a rent has a period, and no feature is there twice. */
export const completeFields = ({ location, features, ...draft }: ListingDraft): ListingFields => ({
  ...StoredFields.parse(draft),
  rentPeriod: draft.offer === 'rent' ? (draft.rentPeriod ?? 'month') : null,
  location: location ? completeLocation(location) : null,
  features: [...new Set(features ?? [])],
})

/** Returns the fields of a listing that are left once everything which may be empty is. */
export const emptiedFields = ({ offer, category }: ListingFields): ListingFields =>
  StoredFields.parse({ offer, category })

/** The names of the fields, in the order of answers. */
export const FIELD_NAMES = ShownFields.keyof().options
