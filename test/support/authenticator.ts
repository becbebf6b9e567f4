import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import * as z from 'zod'
import { PasskeyRequestOptions } from '#lib/accounts/second-factor/passkey-options'
import { type Attestation, attestationObject, noAttestation } from './attestations.ts'

const Request = PasskeyRequestOptions.pick({ challenge: true, rpId: true })

/** What a test makes a virtual authenticator do wrong. */
export type Fault = {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Without user verification. */
  isUnverified?: boolean
  counter?: number
  userHandle?: string | null
  /** Signed by another key. */
  isForged?: boolean
  /** The id within the signed data, where it is not that of the credential. */
  attestedId?: Buffer
  /** The bytes of an RSA key's modulus, in place of the own key. */
  modulusBytes?: number
  /** In place of `none`. */
  attestation?: Attestation
}

const Creation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
})

const ORIGIN = 'https://www.platform.test'
const encoded = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const hashOf = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** A passkey in software, ES256, which signs what it is asked to, and whatever a test wants to be wrong. */
export function softPasskey(settings: { counter?: number } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = settings.counter ?? 0
  const step = settings.counter === undefined ? 0 : 1
  let userHandle = ''
  const credential = (response: object) => ({
    id: encoded(id),
    rawId: encoded(id),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })
  return {
    id: encoded(id),
    create(options: unknown, fault: Fault = {}) {
      const creation = Creation.parse(options)
      userHandle = creation.user.id
      const clientData = clientDataOf('webauthn.create', creation.challenge, fault)
      const cose = fault.modulusBytes === undefined ? coseKey(publicKey) : coseRsaKey(fault.modulusBytes)
      const attestedId = fault.attestedId ?? id
      const made = Buffer.concat([Buffer.alloc(16), uint16(attestedId.length), attestedId, cose])
      const data = Buffer.concat([authData(fault.rpId ?? creation.rp.id, counter, fault, 0x40), made])
      const attested = { authData: data, clientDataHash: hashOf(clientData), privateKey, publicKey }
      return credential({
        clientDataJSON: encoded(clientData),
        attestationObject: encoded(attestationObject(fault.attestation ?? noAttestation, attested)),
        transports: ['internal'],
      })
    },
    get(options: unknown, fault: Fault = {}) {
      const { challenge, rpId } = Request.parse(options)
      counter += step
      const clientData = clientDataOf('webauthn.get', challenge, fault)
      const data = authData(fault.rpId ?? rpId, fault.counter ?? counter, fault, 0)
      const key = fault.isForged === true ? stranger() : privateKey
      const signature = sign('sha256', Buffer.concat([data, hashOf(clientData)]), key)
      return credential({
        clientDataJSON: encoded(clientData),
        authenticatorData: encoded(data),
        signature: encoded(signature),
        userHandle: fault.userHandle === undefined ? userHandle : fault.userHandle,
      })
    },
  }
}
export type SoftPasskey = ReturnType<typeof softPasskey>

const stranger = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

const clientDataOf = (type: string, challenge: string, fault: Fault): string =>
  JSON.stringify({
    type: fault.type ?? type,
    challenge: fault.challenge ?? challenge,
    origin: fault.origin ?? ORIGIN,
    crossOrigin: false,
  })

function authData(rpId: string, counter: number, { isUnverified = false }: Fault, more: number): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([hashOf(rpId), Buffer.from([(isUnverified ? 0x01 : 0x05) | more]), count])
}

/** A P-256 key as COSE spells it (RFC 9053), in CBOR. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.from([0x22]),
    bytes(Buffer.from(y, 'base64url')),
  ])
}

/** An RSA key with a modulus of random bytes as COSE spells it (RFC 8230), in CBOR. */
const coseRsaKey = (modulusBytes: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xa4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20]),
    bytes(randomBytes(modulusBytes)),
    Buffer.from([0x21, 0x43, 0x01, 0x00, 0x01]),
  ])

const bytes = (value: Buffer): Buffer =>
  value.length < 256
    ? Buffer.concat([Buffer.from([0x58, value.length]), value])
    : Buffer.concat([Buffer.from([0x59]), uint16(value.length), value])

function uint16(value: number): Buffer {
  const encodedValue = Buffer.alloc(2)
  encodedValue.writeUInt16BE(value)
  return encodedValue
}
