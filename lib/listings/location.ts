import * as z from 'zod'
import { storableNumber } from '#lib/kernel/storable-number'
import { nameLine, text } from '#lib/kernel/text'
import { Country } from './country.ts'

/** A coordinate. One too close to 0 for DynamoDB, far less than a nanometre away, becomes 0. */
const degrees = (max: number) => z.number().min(-max).max(max).overwrite(storableNumber)

/** Whether customers see the true point of a property, or one rounded to a hundredth of a degree. */
const Precision = z.enum(['exact', 'approximate']).meta({ id: 'Precision' })

/** Where a property is, as an agent sends it. Coordinates come in pairs. */
export const SentLocation = z
  .object({
    country: Country,
    city: nameLine({ max: 120, needs: 'letter or digit' }).meta({ example: 'Abidjan' }),
    district: nameLine({ max: 120, needs: 'letter or digit' }).nullish(),
    address: text({ max: 300 }).nullish(),
    lat: degrees(90).nullish(),
    lng: degrees(180).nullish(),
    precision: Precision.nullish().meta({ description: '`exact` by default' }),
  })
  .refine(({ lat, lng }) => (lat == null) === (lng == null), {
    path: ['lat'],
    message: 'comes with lng',
  })
  .meta({ id: 'LocationDraft' })

/** Where a property is, as the listing stores it and its owner sees it: a part that was not sent is null. */
export const Location = z
  .object({
    country: z.string().meta({ example: 'CI' }),
    city: z.string().meta({ example: 'Abidjan' }),
    district: z.string().nullable().meta({ example: 'Cocody' }),
    address: z.string().nullable().meta({ example: '12 rue des Jardins' }),
    lat: z.number().nullable().meta({ example: 5.3599 }),
    lng: z.number().nullable().meta({ example: -3.9762 }),
    precision: Precision,
  })
  .meta({ id: 'Location' })

export type Location = z.infer<typeof Location>

/** Completes a location as the listing stores it. */
export const completeLocation = (sent: z.infer<typeof SentLocation>): z.infer<typeof Location> => ({
  country: sent.country,
  city: sent.city,
  district: sent.district ?? null,
  address: sent.address ?? null,
  lat: sent.lat ?? null,
  lng: sent.lng ?? null,
  precision: sent.precision ?? 'exact',
})

/** Returns a location as customers see it: an approximate one has no address and a rounded point. */
export const publicLocation = (location: Location): Location =>
  location.precision === 'exact'
    ? location
    : { ...location, address: null, lat: roundedDegrees(location.lat), lng: roundedDegrees(location.lng) }

/** Rounds the decimal that was sent to the nearest hundredth of a degree; ties round away from zero. */
function roundedDegrees(coordinate: number | null): number | null {
  if (coordinate === null) return null
  // JavaScript writes a number as its shortest decimal, which is the sent one. A number with an exponent is almost 0.
  const [, whole = '0', hundredths = '', next = '0'] =
    /^(\d+)(?:\.(\d{1,2})(\d?)\d*)?$/.exec(`${Math.abs(coordinate)}`) ?? []
  const units = Number(whole) * 100 + Number(hundredths.padEnd(2, '0')) + (Number(next) >= 5 ? 1 : 0)
  return units === 0 ? 0 : (Math.sign(coordinate) * units) / 100
}
