import * as z from 'zod'
import { text } from '#lib/kernel/text'
import { Country } from './country.ts'

/** DynamoDB stores no number between 0 and 1E-130. Such a coordinate is rounded to 0, less than a nanometre away. */
const degrees = (max: number) =>
  z
    .number()
    .min(-max)
    .max(max)
    .overwrite((value) => (Math.abs(value) < 1e-100 ? 0 : value))

/** Where a property is, as an agent sends it. Coordinates come in pairs. */
export const SentLocation = z
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
  .meta({ id: 'LocationDraft' })

/** Where a property is, as the listing stores and shows it: a part that was not sent is null. */
export const Location = z
  .object({
    country: z.string(),
    city: z.string(),
    district: z.string().nullable(),
    address: z.string().nullable(),
    lat: z.number().nullable(),
    lng: z.number().nullable(),
  })
  .meta({ id: 'Location' })

/** The location as the listing stores it. */
export const completeLocation = (sent: z.infer<typeof SentLocation>): z.infer<typeof Location> => ({
  country: sent.country,
  city: sent.city,
  district: sent.district ?? null,
  address: sent.address ?? null,
  lat: sent.lat ?? null,
  lng: sent.lng ?? null,
})
