import * as z from 'zod'
import { Money } from '#lib/kernel/money'
import { queryNumber } from '#lib/kernel/query-number'
import { text } from '#lib/kernel/text'
import { completeLocation, Location, SentLocation } from './location.ts'

export const Offer = z.enum(['sale', 'rent']).meta({ id: 'Offer' })
export const Category = z
  .enum(['apartment', 'house', 'villa', 'studio', 'room', 'land', 'office', 'shop', 'warehouse', 'other'])
  .meta({ id: 'Category' })
export const RentPeriod = z.enum(['day', 'week', 'month', 'year']).meta({ id: 'RentPeriod' })

/** How customers search by a field: its query parameter, and whether a listing's value answers the parameter. */
type Filter<Parameter extends z.ZodType> = {
  parameter: Parameter
  matches: (value: unknown, wanted: unknown) => boolean
}

const isEqual = <Schema extends z.ZodType>(schema: Schema): Filter<z.ZodOptional<Schema>> => ({
  parameter: schema.optional(),
  matches: (value, wanted) => value === wanted,
})

const isAtLeast = (max: number) => ({
  parameter: queryNumber(z.number().int().min(0).max(max).optional()).meta({ description: 'A minimum' }),
  matches: (value: unknown, wanted: unknown) =>
    typeof value === 'number' && typeof wanted === 'number' && value >= wanted,
})

/** A field that every listing has. */
const required = <Schema extends z.ZodType>(schema: Schema) => ({
  sent: schema,
  shown: schema,
  stored: schema,
})

/** A field that may be left out or null: it is stored and shown as null. */
const optional = <Sent extends z.ZodType, Shown extends z.ZodType>(sent: Sent, shown: Shown) => ({
  sent: sent.nullish(),
  shown: shown.nullable(),
  stored: shown.nullish().transform((value) => value ?? null),
})

/** A list that may be left out or null: it is stored and shown as empty. */
const list = <Item extends z.ZodType>(item: Item, max: number) => ({
  sent: z.array(item).max(max).nullish(),
  shown: z.array(z.string()),
  stored: z.array(z.string()).default([]),
})

/**
 * The fields of a listing, each once: as agents send it (`sent`), as the API shows it (`shown`), as the table stores
 * it (`stored`, with a default for rows written before the field existed), and how customers search by it (`filter`).
 * Drafts, patches, records, views, revisions and search entries derive from this object.
 */
const FIELDS = {
  offer: { ...required(Offer), filter: isEqual(Offer) },
  category: { ...required(Category), filter: isEqual(Category) },
  title: optional(text({ min: 3, max: 120 }), z.string()),
  description: optional(text({ min: 20, max: 5000 }), z.string()),
  price: optional(Money, Money),
  rentPeriod: { ...optional(RentPeriod, RentPeriod), filter: isEqual(RentPeriod) },
  location: optional(SentLocation, Location),
  bedrooms: { ...optional(z.int().min(0).max(100), z.int()), filter: isAtLeast(100) },
  bathrooms: optional(z.int().min(0).max(100), z.int()),
  areaSqm: optional(z.number().min(1).max(100_000_000), z.number()),
  features: list(text({ max: 40 }), 50),
}

type Fields = typeof FIELDS
type Part<Name extends 'sent' | 'shown' | 'stored'> = { [Field in keyof Fields]: Fields[Field][Name] }

/** One part of every field. TypeScript forgets the names in `Object.fromEntries`, hence the cast. */
const part = <Name extends 'sent' | 'shown' | 'stored'>(name: Name) =>
  Object.fromEntries(Object.entries(FIELDS).map(([field, parts]) => [field, parts[name]])) as Part<Name>

/** A new listing as an agent sends it; the bounds apply to the fields that are given. */
export const ListingDraft = z.object(part('sent')).meta({ id: 'ListingDraft' })
export type ListingDraft = z.infer<typeof ListingDraft>

/** Changes to a listing: an absent field stays, null clears. A location is one value and is replaced whole. */
export const ListingPatch = z.object(part('sent')).partial().meta({ id: 'ListingPatch' })
export type ListingPatch = z.infer<typeof ListingPatch>

/** The fields as every answer shows them: a field that was not sent is null. */
export const ShownFields = z.object(part('shown'))
export type ListingFields = z.infer<typeof ShownFields>

/** The fields as the table stores them. */
export const StoredFields = z.object(part('stored'))

/** Completes a draft: a field that was not sent is null, a rent has a period, and no feature is there twice. */
export const completeFields = ({ location, features, ...draft }: ListingDraft): ListingFields => ({
  ...StoredFields.parse(draft),
  rentPeriod: draft.offer === 'rent' ? (draft.rentPeriod ?? 'month') : null,
  location: location ? completeLocation(location) : null,
  features: [...new Set(features)],
})

/** The names of the fields, in the order in which answers show them. */
export const FIELD_NAMES = ShownFields.keyof().options

type Searched = {
  [Field in keyof Fields]: Fields[Field] extends { filter: unknown } ? Field : never
}[keyof Fields]
type SearchPart<Name extends 'parameter' | 'matches'> = {
  [Field in Searched]: Fields[Field]['filter'][Name]
}

/** One part of every filter, by the name of its field; the same cast as in `part`. */
const searchPart = <Name extends 'parameter' | 'matches'>(name: Name) =>
  Object.fromEntries(
    Object.entries(FIELDS).flatMap(([field, parts]) =>
      'filter' in parts ? [[field, parts.filter[name]]] : [],
    ),
  ) as SearchPart<Name>

/** The query parameter of each field by which customers can search; it has the name of the field. */
export const FIELD_PARAMETERS = searchPart('parameter')

/** Whether a value of a field answers the value of its query parameter. */
export const FIELD_MATCHES = searchPart('matches')

/** The names of the fields by which customers can search. */
export const SEARCHED_NAMES = Object.keys(FIELD_MATCHES) as Searched[]

/** The values of a listing by which customers can search. */
export const SearchedFields = z.object(
  Object.fromEntries(SEARCHED_NAMES.map((name) => [name, ShownFields.shape[name]])) as Pick<
    Part<'shown'>,
    Searched
  >,
)
