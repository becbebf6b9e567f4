import { header } from '#lib/http/request'
import type { Settings } from '#lib/http/runtime'
import { DomainError } from '#lib/kernel/domain-error'
import { sameText } from '#lib/kernel/signatures'
import type { HttpMiddleware } from './middleware.ts'

/** The most secrets that are read from CloudFront's header, comma-separated. It sends one, or two while rotating. */
const MOST_SENT = 4

/** A function URL's own domain: requests to it do not pass CloudFront, and the gateway does not serve this domain. */
const FUNCTION_URL = /\.lambda-url\.[a-z0-9-]+\.on\.aws$/

/**
 * With CloudFront before the gateway (the front), takes the caller's address from `CloudFront-Viewer-Address`. Refuses
 * with `forbidden` any request without an origin secret, which only CloudFront knows. CloudFront sends all its secrets
 * and one accepted secret suffices, so that both sides may change theirs in any order.
 */
export const trustFront = (deps: () => { settings: Settings }): HttpMiddleware => ({
  before: ({ event }) => {
    const { ORIGIN_SECRETS } = deps().settings
    if (ORIGIN_SECRETS.length === 0 || FUNCTION_URL.test(event.requestContext.domainName ?? '')) return
    const sent = (header(event, 'x-origin-secret') ?? '').split(',', MOST_SENT)
    const isFront = sent.some((given) => ORIGIN_SECRETS.some((secret) => sameText(secret, given)))
    if (!isFront) throw new DomainError('forbidden')
    const address = addressOf(header(event, 'cloudfront-viewer-address'))
    if (address !== undefined) event.requestContext.http.sourceIp = address
  },
})

/** Returns the address before the port, which CloudFront puts after the last colon, of IPv6 too. */
const addressOf = (viewer: string | undefined): string | undefined => /^(.+):\d+$/.exec(viewer ?? '')?.[1]
