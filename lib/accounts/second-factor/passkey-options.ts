import * as z from 'zod'
import { MINUTE_MILLISECONDS } from '#lib/kernel/clock'
import type { Factors } from './factors.ts'

/** The time for which a browser waits for its user: the life of a challenge. */
export const PASSKEY_TIMEOUT_MILLISECONDS = 10 * MINUTE_MILLISECONDS

/** WebAuthn's request options as JSON (Level 3), for `navigator.credentials.get`. */
export const PasskeyRequestOptions = z
  .object({
    challenge: z.string().meta({ example: 'mZ1kq0…' }),
    rpId: z.string().meta({ example: 'example.com' }),
    timeout: z.int().meta({ example: 300_000 }),
    userVerification: z.literal('required'),
    allowCredentials: z.array(
      z.object({
        id: z.string().meta({ example: 'kQ3vY0…' }),
        type: z.literal('public-key'),
        transports: z.array(z.string()).meta({ example: ['internal'] }),
      }),
    ),
  })
  .meta({ id: 'PasskeyRequestOptions' })
export type PasskeyRequestOptions = z.infer<typeof PasskeyRequestOptions>

/** Returns the options of a challenge: for one of `passkeys` if given, else for any passkey of the domain. */
export const requestOptions = (
  rpId: string,
  challenge: string,
  passkeys: Factors['passkeys'] = [],
): PasskeyRequestOptions => ({
  challenge,
  rpId,
  timeout: PASSKEY_TIMEOUT_MILLISECONDS,
  userVerification: 'required',
  allowCredentials: passkeys.map(({ credentialId, transports }) => ({
    id: credentialId,
    type: 'public-key',
    transports,
  })),
})

/** The answer of `navigator.credentials.get` or `.create`, as its `toJSON()` spells it. */
export const PasskeyCredential = z
  .record(z.string(), z.unknown())
  .meta({ id: 'PasskeyCredential', description: 'WebAuthn Level 3, `PublicKeyCredential.toJSON()`' })
