import * as z from 'zod'
import type { NeededKey } from '#lib/providers/provider'

/** A text without surrounding white space, which is often pasted with it. */
const filled = z.string().trim().min(1).max(4096)

/** An identifier of the account at the provider: no secret. */
export const identifier = filled

/** A key or password. An empty one is refused: everybody could sign with it. */
export const secret = filled

/** The live secrets of a provider's signatures, at least one: each is accepted, so that they can rotate. */
export const secrets = z.array(secret).min(1)

/** Whether the account pays agents out. */
export const payouts = z.boolean().default(false)

/**
 * Returns the `needs` of a provider for keys that an account cannot pay out without: they are checked before the
 * provider's code is loaded. A key within another is a path with dots.
 */
export const neededToPayOut = (...keys: string[]): NeededKey[] =>
  keys.map((key) => ({ key, where: { key: 'payouts', includes: 'true' } }))

/** Returns a check for the schema of `config`: it refuses a configuration that pays out and lacks one of these keys. */
export const requireToPayOut =
  (...keys: string[]) =>
  (config: Record<string, unknown>, context: z.RefinementCtx): void => {
    if (config['payouts'] !== true) return
    for (const key of keys.filter((each) => config[each] === undefined)) {
      context.addIssue({ code: 'custom', path: [key], message: 'is required to pay out', input: config })
    }
  }

/** The address of a provider's API; a test points it at a stand-in. */
export const apiBase = (address: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(address)
    .transform((url) => url.replace(/\/+$/, ''))
