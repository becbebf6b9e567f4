import { dependency } from '#lib/config'
import { invalidField } from '#lib/kernel/domain-error'

/** Whether a page that a payer returns to may be named. */
export type ReturnOrigins = (returnUrl: string) => boolean

const ANY_PORT = ':*'

/**
 * Allows the pages of the operator's own origins and apps, so that no link of ours leads to a stranger's page. Without
 * `RETURN_ORIGINS` those of `CORS_ORIGINS` are allowed; where these name none, any `https` page.
 */
export function openReturnOrigins(named: readonly string[], pages: readonly string[]): ReturnOrigins {
  const exact = (named.length > 0 ? named : pages).filter((origin) => origin !== '*' && !hasAnyPort(origin))
  const hosts = pages.filter(hasAnyPort).map((origin) => origin.slice(0, -ANY_PORT.length))
  const origins = new Set(exact.map((origin) => originOf(new URL(origin))))
  return (returnUrl) => {
    const url = new URL(returnUrl)
    if (hosts.includes(`${url.protocol}//${url.hostname}`)) return true
    return origins.size === 0 ? url.protocol === 'https:' : origins.has(originOf(url))
  }
}

const hasAnyPort = (origin: string): boolean => origin.endsWith(ANY_PORT)

/** The origin of a page; of an app's address its scheme. */
const originOf = ({ origin, protocol }: URL): string => (origin === 'null' ? `${protocol}//` : origin)

/** Throws `validation_failed` for a return address whose origin is not allowed. */
export function refuseForeignReturn(allows: ReturnOrigins, returnUrl: string | null | undefined): void {
  if (returnUrl && !allows(returnUrl)) {
    throw invalidField('returnUrl', 'must be a page of an origin that the operator has named')
  }
}

/** The function's return origins. */
export const returnOrigins = dependency(['RETURN_ORIGINS', 'CORS_ORIGINS'], (config) =>
  openReturnOrigins(config.RETURN_ORIGINS, config.CORS_ORIGINS),
)
