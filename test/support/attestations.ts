import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

/** What an authenticator attests: the passkey, in data that it signs for a client. */
type Attested = {
  authData: Buffer
  clientDataHash: Buffer
  privateKey: KeyObject
  publicKey: KeyObject
}

/** An attestation statement of a format. */
export type Attestation = (attested: Attested) => { fmt: string; attStmt: Map<string, Statement> }
type Statement = string | number | Uint8Array | Uint8Array[]

/** ES256, as COSE numbers it. */
const ES256 = -7

/** The attestation `none`: no statement. */
export const noAttestation: Attestation = () => ({ fmt: 'none', attStmt: new Map() })

/** A `packed` statement that the passkey signs itself. */
export const selfAttestation: Attestation = (attested) => ({
  fmt: 'packed',
  attStmt: new Map<string, Statement>([
    ['alg', ES256],
    ['sig', signed(attested, attested.privateKey)],
  ]),
})

/** Statements of every other format, whose certificates name `revocationList` as the address of their revocation list. */
export const certifiedAttestations = (revocationList: string): Readonly<Record<string, Attestation>> => ({
  packed: withCertificates('packed', revocationList),
  'android-key': withCertificates('android-key', revocationList),
  'fido-u2f': withCertificates('fido-u2f', revocationList),
  tpm: withCertificates('tpm', revocationList),
  apple: withCertificates('apple', revocationList),
  'android-safetynet': () => ({
    fmt: 'android-safetynet',
    attStmt: new Map<string, Statement>([
      ['ver', '1'],
      ['response', Buffer.from('e30.e30.e30')],
    ]),
  }),
  compound: withCertificates('compound', revocationList),
  'none, with a statement': withCertificates('none', revocationList),
  'packed, with an empty chain': (attested) => {
    const { fmt, attStmt } = selfAttestation(attested)
    return { fmt, attStmt: new Map([...attStmt, ['x5c', []]]) }
  },
})

const withCertificates =
  (fmt: string, revocationList: string): Attestation =>
  (attested) => {
    const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const issuer = nameOf('Root')
    const subject = nameOf('Passkey')
    const leaf = certificate({
      issuer,
      subject,
      publicKey: attested.publicKey,
      signer: root.privateKey,
      extensions: [distributionPoint(revocationList), keyDescription(attested.clientDataHash)],
    })
    const self = certificate({
      issuer,
      subject: issuer,
      publicKey: root.publicKey,
      signer: root.privateKey,
      extensions: [distributionPoint(revocationList)],
    })
    return {
      fmt,
      attStmt: new Map<string, Statement>([
        ['alg', ES256],
        ['sig', signed(attested, attested.privateKey)],
        ['x5c', [new Uint8Array(leaf), new Uint8Array(self)]],
      ]),
    }
  }

const signed = ({ authData, clientDataHash }: Attested, key: KeyObject): Uint8Array =>
  new Uint8Array(sign('sha256', Buffer.concat([authData, clientDataHash]), key))

/** Returns the attestation object of a passkey, in CBOR. */
export function attestationObject(attestation: Attestation, attested: Attested): Buffer {
  const { fmt, attStmt } = attestation(attested)
  const authData = new Uint8Array(attested.authData)
  const parts = new Map<string, string | Uint8Array | typeof attStmt>([
    ['fmt', fmt],
    ['attStmt', attStmt],
    ['authData', authData],
  ])
  return Buffer.from(isoCBOR.encode(parts))
}

// Certificates (RFC 5280) in DER.

const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const body = Buffer.concat(contents)
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts)
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]))
const octets = (value: Buffer): Buffer => der(0x04, value)
const utf8 = (value: string): Buffer => der(0x0c, Buffer.from(value))
const moment = (value: string): Buffer => der(0x17, Buffer.from(value))

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...others] = dotted.split('.').map(Number)
  const groups = (value: number): number[] => (value < 128 ? [value] : [...groups(value >> 7), value & 0x7f])
  const marked = others.flatMap((each) =>
    groups(each).map((group, index, all) => (index < all.length - 1 ? group | 0x80 : group)),
  )
  return der(0x06, Buffer.from([first * 40 + second, ...marked]))
}

const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'))

/** A name that `packed` takes for an authenticator's. */
const nameOf = (commonName: string): Buffer =>
  sequence(
    ...[
      ['2.5.4.6', 'CI'],
      ['2.5.4.10', 'Platform'],
      ['2.5.4.11', 'Authenticator Attestation'],
      ['2.5.4.3', commonName],
    ].map(([type = '', value = '']) => der(0x31, sequence(oid(type), utf8(value)))),
  )

type Certificate = {
  issuer: Buffer
  subject: Buffer
  publicKey: KeyObject
  signer: KeyObject
  extensions: Buffer[]
}

function certificate({ issuer, subject, publicKey, signer, extensions }: Certificate): Buffer {
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ECDSA_WITH_SHA256,
    issuer,
    sequence(moment('200101000000Z'), moment('491231235959Z')),
    subject,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...extensions)),
  )
  return sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), sign('sha256', body, signer)))
}

/** The address at which a verifier downloads the list of revoked certificates. */
const distributionPoint = (address: string): Buffer =>
  sequence(
    oid('2.5.29.31'),
    octets(sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(address))))))),
  )

/** What an Android key store says of a key: the challenge, and nothing of who may use it. */
const keyDescription = (challenge: Buffer): Buffer =>
  sequence(
    oid('1.3.6.1.4.1.11129.2.1.17'),
    octets(
      sequence(
        integer(4),
        der(0x0a, Buffer.from([0])),
        integer(4),
        der(0x0a, Buffer.from([0])),
        octets(challenge),
        octets(Buffer.alloc(0)),
        sequence(),
        sequence(),
      ),
    ),
  )
