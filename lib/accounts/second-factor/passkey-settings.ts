import { type Config, dependency } from '#lib/config/config'

/** Where passkeys may be used: the domain that they belong to, and the origins of its pages. */
export type PasskeySettings = { rpId: string; isAllowedOrigin: (origin: string) => boolean }

const VARIABLES = ['PUBLIC_URL', 'CORS_ORIGINS', 'WEBAUTHN_RP_ID', 'WEBAUTHN_ORIGINS'] as const
type Settings = Config<(typeof VARIABLES)[number]>

/** The origin of a native Android app: the SHA-256 of the certificate that signs it, in base64url. */
const ANDROID_ORIGIN = /^android:apk-key-hash:[\w-]+$/

/** Returns the host of an origin, whose port may be `*`. */
const hostOf = (origin: string): string | undefined =>
  /^https?:\/\/([^/:]+)(?::(?:\d+|\*))?$/.exec(origin)?.[1]

const domainOf = ({ WEBAUTHN_RP_ID, PUBLIC_URL }: Settings): string =>
  WEBAUTHN_RP_ID ?? new URL(PUBLIC_URL).hostname

const isWithin = (domain: string, origin: string): boolean => {
  const host = hostOf(origin)
  return host !== undefined && (host === domain || host.endsWith(`.${domain}`))
}

/** Whether an origin is the allowed one. An allowed origin with the port `*` has every port. */
const isOf = (allowed: string, origin: string): boolean =>
  allowed.endsWith(':*')
    ? origin.replace(/:\d{1,5}$/, '') === allowed.slice(0, -':*'.length)
    : origin === allowed

/** The settings of passkeys. A function does not start if a configured origin is neither of the domain nor an Android app's. */
export const passkeySettings = dependency(
  VARIABLES,
  (settings): PasskeySettings => {
    const rpId = domainOf(settings)
    const { WEBAUTHN_ORIGINS: configured, CORS_ORIGINS, PUBLIC_URL } = settings
    const origins =
      configured.length > 0
        ? configured
        : [new URL(PUBLIC_URL).origin, ...CORS_ORIGINS].filter((each) => isWithin(rpId, each))
    return {
      rpId,
      isAllowedOrigin: (origin) => origins.some((allowed) => isOf(allowed, origin)),
    }
  },
  (settings) => {
    const domain = domainOf(settings)
    const outside = settings.WEBAUTHN_ORIGINS.filter(
      (origin) => !isWithin(domain, origin) && !ANDROID_ORIGIN.test(origin),
    )
    if (outside.length > 0) {
      throw new Error(`Configuration: WEBAUTHN_ORIGINS holds ${outside.join(', ')}, outside ${domain}`)
    }
  },
)
