import * as z from 'zod'
import { dependency } from '#lib/config/config'
import { outgoingCall } from '#lib/http/outgoing-call'
import { systemClock } from '#lib/kernel/clock'
import { remember } from '#lib/kernel/remember'

const TIMEOUT_MILLISECONDS = 3_000
const MAX_BYTES = 64 * 1024

const Discovered = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  revocation_endpoint: z.url().optional(),
  end_session_endpoint: z.url().optional(),
})

/** The endpoints of the administrators' OpenID provider that the console uses. */
export type OpenidEndpoints = z.infer<typeof Discovered>

/** Reads the endpoints that an OpenID provider publishes; undefined while it does not answer. */
export type FindEndpoints = () => Promise<OpenidEndpoints | undefined>

/**
 * The configured provider's endpoints, read from its discovery document (OpenID Connect Discovery 1.0, section 4) and
 * remembered. They may lie on another host than the issuer: Amazon Cognito's do.
 */
export const openidEndpoints = dependency(['CONSOLE_ISSUER'], ({ CONSOLE_ISSUER }): FindEndpoints => {
  const uri = `${CONSOLE_ISSUER.replace(/\/+$/, '')}/.well-known/openid-configuration`
  const { current } = remember(() => discover(uri), systemClock)
  return () => current().catch(() => undefined)
})

async function discover(url: string): Promise<OpenidEndpoints> {
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS)
  const { status, body } = await outgoingCall({ method: 'GET', url }, { signal, maxBytes: MAX_BYTES })
  if (status !== 200) throw new Error(`The discovery document's address answered ${status}`)
  return Discovered.parse(JSON.parse(body))
}
