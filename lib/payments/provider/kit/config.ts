import * as z from 'zod'

/** A key or password. Pasted white space is cut off; what is empty then is refused, since an empty key signs. */
export const secret = z.string().trim().min(1).max(4096)

/** The live secrets of a provider's signatures, at least one: each is accepted, so that they can rotate. */
export const secrets = z.array(secret).min(1)

/** Where a provider's API answers; a test points it at a stand-in. */
export const apiBase = (address: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(address)
    .transform((url) => url.replace(/\/+$/, ''))
