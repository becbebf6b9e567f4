import { Secret, TOTP } from 'otpauth'

/** The parameters of RFC 6238 that every authenticator app supports. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const STEP_MILLISECONDS = PARAMETERS.period * 1000

/** Makes the secret of a new authenticator app, base32, of 160 bits. */
export const newTotpSecret = (): string => new Secret({ size: 20 }).base32

/** Returns the address that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, issuer: string, label: string): string =>
  new TOTP({ ...PARAMETERS, issuer, label, secret }).toString()

/**
 * Returns the step of 30 seconds that six digits belong to: the present one, the previous or the next. Undefined for
 * wrong digits and for a step that is not after `lastStep`.
 */
export function stepOfCode(
  secret: string,
  code: string,
  { lastStep, now }: { lastStep: number; now: Date },
): number | undefined {
  // The library fails on characters of more than one byte.
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = new TOTP({ ...PARAMETERS, secret }).validate({ token: code, timestamp, window: 1 })
  if (delta === null) return undefined
  const step = Math.floor(timestamp / STEP_MILLISECONDS) + delta
  return step > lastStep ? step : undefined
}
