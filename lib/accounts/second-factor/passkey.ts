import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { timestamp } from '#lib/kernel/clock'
import type { PasskeyId } from '#lib/kernel/id'
import { plainText } from '#lib/kernel/text'
import { webauthnChallenge } from './challenge.ts'
import type { Factors, Passkey } from './factors.ts'
import { PASSKEY_TIMEOUT_MILLISECONDS } from './passkey-options.ts'
import type { PasskeySettings } from './passkey-settings.ts'

// `@simplewebauthn/server` is imported at the first passkey, so that functions that check only codes start without it.

/** EdDSA, ES256 and RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257]

/** A text in base64url. `max` is generous: WebAuthn bounds only the id of a credential, to 1,023 bytes (1,364 characters). */
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/)
const transports = z
  .array(plainText({ max: 32 }))
  .max(10)
  .catch([])

/** An RSA key of 16,384 bits has some 2,080 bytes. Ten keys of this size fit into the record of an account's factors. */
const PUBLIC_KEY_MAX_BYTES = 4096

const Assertion = z.object({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(8192),
    authenticatorData: base64url(8192),
    signature: base64url(8192),
    userHandle: z.string().max(200).nullish(),
  }),
})

const Attestation = z.object({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(8192),
    attestationObject: base64url(65_536),
    transports: transports.optional(),
  }),
})

const ClientData = z.object({ origin: z.string() })

/** Returns the id of a credential's passkey; undefined for anything but a credential. */
export const credentialIdOf = (credential: unknown): string | undefined =>
  Assertion.safeParse(credential).data?.id

/** A credential to verify, the challenge that it answers, and where passkeys may be used. */
type Trial = { settings: PasskeySettings; challenge: string; credential: unknown; now: Date }

/**
 * Returns the passkey after a use if the credential answers the challenge: signed on an allowed page, by a verified
 * user, with a counter above the last. Otherwise returns undefined.
 */
export async function verifyAssertion(
  { settings, challenge, credential, now }: Trial,
  { userId, passkeys }: Pick<Factors, 'userId' | 'passkeys'>,
): Promise<Passkey | undefined> {
  const { data: shown } = Assertion.safeParse(credential)
  const passkey = passkeys.find(({ credentialId }) => credentialId === shown?.id)
  if (!shown || !passkey || !isOwn(shown.response.userHandle, userId)) return undefined
  // The credential names its page: allowed origins may have any port, and the library compares only whole origins.
  const expectedOrigin = originOf(shown.response.clientDataJSON)
  if (expectedOrigin === undefined || !settings.isAllowedOrigin(expectedOrigin)) return undefined
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response: { ...shown, response: signedPart(shown.response), clientExtensionResults: {} },
    expectedChallenge: webauthnChallenge(challenge),
    expectedOrigin,
    expectedRPID: settings.rpId,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  return { ...passkey, counter: verified.authenticationInfo.newCounter, lastUsedAt: timestamp(now) }
}

/**
 * Returns the passkey of a new credential; undefined if the credential does not answer the challenge, or carries an
 * attestation that `isPlain` refuses.
 */
export async function verifyRegistration(
  { settings, challenge, credential, now }: Trial,
  { id, name }: { id: PasskeyId; name: string },
): Promise<Passkey | undefined> {
  const { data: shown } = Attestation.safeParse(credential)
  const expectedOrigin = shown && originOf(shown.response.clientDataJSON)
  if (!shown || expectedOrigin === undefined || !settings.isAllowedOrigin(expectedOrigin)) return undefined
  if (!(await isPlain(shown.response.attestationObject))) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyRegistrationResponse({
    response: { ...shown, response: attestedPart(shown.response), clientExtensionResults: {} },
    expectedChallenge: webauthnChallenge(challenge),
    expectedOrigin,
    expectedRPID: settings.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!verified?.verified) return undefined
  const { credential: made } = verified.registrationInfo
  // A passkey is found by the id that a credential shows: under another one it could never be used.
  if (made.id !== shown.id || made.publicKey.length > PUBLIC_KEY_MAX_BYTES) return undefined
  return {
    id,
    credentialId: made.id,
    publicKey: Buffer.from(made.publicKey).toString('base64url'),
    counter: made.counter,
    transports: shown.response.transports ?? [],
    name,
    createdAt: timestamp(now),
    lastUsedAt: null,
  }
}

/**
 * Whether an attestation has no certificates: `none`, or `packed` signed by the passkey itself. For certificates the
 * library fetches revocation lists from the addresses that they name.
 */
async function isPlain(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers')
  try {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
    const format = attestation.get('fmt')
    return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
  } catch {
    // No CBOR, or no map of the expected shape.
    return false
  }
}

/** Returns the fields that the signature proves: `userHandle` is none of them. */
const signedPart = ({
  clientDataJSON,
  authenticatorData,
  signature,
}: z.infer<typeof Assertion>['response']) => ({
  clientDataJSON,
  authenticatorData,
  signature,
})

const attestedPart = ({ clientDataJSON, attestationObject }: z.infer<typeof Attestation>['response']) => ({
  clientDataJSON,
  attestationObject,
})

/** Returns WebAuthn's creation options as JSON, for `navigator.credentials.create`. */
export async function creationOptions(
  { rpId }: PasskeySettings,
  challenge: string,
  account: Account,
  passkeys: Factors['passkeys'],
) {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server')
  return generateRegistrationOptions({
    rpName: rpId,
    rpID: rpId,
    userName: account.email,
    userDisplayName: account.name ?? account.email,
    userID: new Uint8Array(Buffer.from(account.id)),
    challenge: new Uint8Array(Buffer.from(webauthnChallenge(challenge), 'base64url')),
    timeout: PASSKEY_TIMEOUT_MILLISECONDS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ credentialId }) => ({ id: credentialId })),
  })
}

/** Whether the account that an authenticator names is this one. Not every authenticator names one. */
const isOwn = (userHandle: string | null | undefined, userId: string): boolean =>
  userHandle === null ||
  userHandle === undefined ||
  userHandle === '' ||
  Buffer.from(userHandle, 'base64url').toString() === userId

function originOf(clientDataJSON: string): string | undefined {
  try {
    return ClientData.safeParse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString())).data?.origin
  } catch {
    return undefined
  }
}
