import * as z from 'zod'
import { dependency } from '#lib/config'
import { outgoingCall } from '#lib/http/outgoing-call'
import { type Clock, MINUTE_MILLISECONDS } from '#lib/kernel/clock'

const TIMEOUT_MILLISECONDS = 3_000
const MAX_BYTES = 64 * 1024
const MAX_AGE_MILLISECONDS = 10 * MINUTE_MILLISECONDS

const Discovered = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
})

/** The endpoints of the administrators' OpenID provider that the console uses. */
export type OpenidEndpoints = z.infer<typeof Discovered>

/** Reads the endpoints that an OpenID provider publishes; undefined while it does not answer. */
export type FindEndpoints = (now: Clock) => Promise<OpenidEndpoints | undefined>

/**
 * The configured provider's endpoints, read from its discovery document (OpenID Connect Discovery 1.0, section 4) and
 * kept for ten minutes, or for longer while the provider does not answer. They may lie on another host than the issuer:
 * Amazon Cognito's do.
 */
export const openidEndpoints = dependency(['CONSOLE_ISSUER'], ({ CONSOLE_ISSUER }): FindEndpoints => {
  const uri = `${CONSOLE_ISSUER.replace(/\/+$/, '')}/.well-known/openid-configuration`
  let kept: { endpoints: OpenidEndpoints; until: number } | undefined
  return async (now) => {
    if (kept && now().getTime() < kept.until) return kept.endpoints
    const endpoints = await discover(uri).catch(() => kept?.endpoints)
    if (endpoints) kept = { endpoints, until: now().getTime() + MAX_AGE_MILLISECONDS }
    return endpoints
  }
})

async function discover(url: string): Promise<OpenidEndpoints> {
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
  const { status, body } = await outgoingCall({ method: 'GET', url }, { signal, maxBytes: MAX_BYTES })
  if (status !== 200) throw new Error(`The discovery document's address answered ${status}`)
  return Discovered.parse(JSON.parse(body))
}
