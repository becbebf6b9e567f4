import { dependency } from '#lib/config'

/** The name under which authenticator apps list an account: the host of the service. */
export const totpIssuer = dependency(['PUBLIC_URL'], ({ PUBLIC_URL }) => new URL(PUBLIC_URL).hostname)
