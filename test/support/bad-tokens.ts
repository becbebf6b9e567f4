import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { decodeJwt, type JWK } from 'jose'
import { inject } from 'vitest'
import { consoleToken, type GivenUser, platformToken } from './given.ts'

/** What stands in an `Authorization` header that must open nothing, and why. */
type BadCredential = readonly [why: string, authorization: string]

type Claims = Record<string, unknown>

/** Every way in which a credential is no credential, made of what a live session's token says. */
export async function badCredentials({ token, refreshToken }: GivenUser): Promise<BadCredential[]> {
  const good = decodeJwt(token) as Claims
  const [header = '', payload = '', signature = ''] = token.split('.')
  const platformKey = keyOf(inject('stack').signingKeys)
  const consoleKey = keyOf(inject('stack').consoleKeys)
  const consoleJwt = await consoleToken()
  const [consoleHeader = '', consolePayload = ''] = consoleJwt.split('.')
  const nowSeconds = Math.floor(Date.now() / 1000)
  const platform = (claims: Claims, more: Claims = {}) => platformToken({ ...good, ...claims }, more)
  const platformWithout = (claim: string) => forged(eddsa, without(good, claim), ed25519(platformKey))
  const stranger = generateKeyPairSync('ed25519')
  const strangersJwk = stranger.publicKey.export({ format: 'jwk' })
  const ed25519 = (key: KeyObject) => (input: string) => sign(null, Buffer.from(input), key)
  const hs = (hash: string, secret: string | Buffer) => (input: string) =>
    createHmac(hash, secret).update(input).digest()
  const eddsa = { alg: 'EdDSA', typ: 'at+jwt', kid: 'platform-test' }
  const rs256 = { alg: 'RS256', typ: 'at+jwt', kid: 'console-test' }
  const admin = decodeJwt(consoleJwt) as Claims

  const bare: BadCredential[] = [
    ['nothing', ''],
    ['a scheme alone', 'Bearer'],
    ['a scheme and a space', 'Bearer '],
    ['a word', 'Bearer garbage'],
    ['three words', 'Bearer a.b.c'],
    ['two dots', 'Bearer ..'],
    ['a good token without its scheme', token],
    ['a good token under another scheme', `Token ${token}`],
    ['a good token as Basic', `Basic ${Buffer.from(token).toString('base64')}`],
    ['a good token twice', `Bearer ${token}, Bearer ${token}`],
    ['a good token and more', `Bearer ${token} x`],
    ['a good token in quotes', `Bearer "${token}"`],
    ['a good token behind a comma', `Bearer ,${token}`],
    ['a good token with padding', `Bearer ${token}=`],
    ['a good token behind a control character', `Bearer \u0000${token}`],
    ['a refresh token', `Bearer ${refreshToken}`],
    ['nine thousand letters', `Bearer ${'a'.repeat(9_000)}`],
    ['four thousand dots', `Bearer ${'.'.repeat(4_000)}`],
  ]

  const broken: [string, string | Promise<string>][] = [
    ['without its signature', `${header}.${payload}.`],
    ['without its signature and its dot', `${header}.${payload}`],
    ['with a signature cut short', token.slice(0, -4)],
    ['with a signature of zeros', `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`],
    [
      'with a signature to which the order of its group is added',
      `${header}.${payload}.${malleable(signature)}`,
    ],
    ['whose signature is spelled in another way', respelled(token)],
    ['of five parts', `${token}.${payload}.${signature}`],
    [
      'whose payload is another user',
      tampered(header, { ...good, sub: 'usr_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }, signature),
    ],
    [
      'whose payload says agent',
      tampered(header, { ...good, roles: ['user', 'agent', 'admins'] }, signature),
    ],
    ['whose payload lasts longer', tampered(header, { ...good, exp: nowSeconds + 9_999_999 }, signature)],
    ['with a signature over no JSON', forged(eddsa, 'not json', ed25519(platformKey))],
    ['with a signature over a list', forged(eddsa, [good], ed25519(platformKey))],
    ['with a signature over null', forged(eddsa, null, ed25519(platformKey))],
    ['with a header that is no JSON', `${encoded('{')}.${payload}.${signature}`],
    ['with a header that is null', `${encoded('null')}.${payload}.${signature}`],

    ['of algorithm none', forged({ ...eddsa, alg: 'none' }, good, () => Buffer.alloc(0))],
    ['of algorithm None', forged({ ...eddsa, alg: 'None' }, good, () => Buffer.alloc(0))],
    ['of algorithm NONE with a signature', forged({ ...eddsa, alg: 'NONE' }, good, ed25519(platformKey))],
    ['of no algorithm', forged({ typ: 'at+jwt', kid: 'platform-test' }, good, ed25519(platformKey))],
    ['of an algorithm that is a list', forged({ ...eddsa, alg: ['EdDSA'] }, good, ed25519(platformKey))],
    [
      'signed HS256 with the public key as PEM',
      forged({ ...eddsa, alg: 'HS256' }, good, hs('sha256', pem(platformKey))),
    ],
    [
      'signed HS256 with the public key as JWK',
      forged({ ...eddsa, alg: 'HS256' }, good, hs('sha256', jwk(platformKey))),
    ],
    [
      'signed HS512 with the public key as bytes',
      forged({ ...eddsa, alg: 'HS512' }, good, hs('sha512', bytes(platformKey))),
    ],
    ['signed HS256 with nothing', forged({ ...eddsa, alg: 'HS256' }, good, hs('sha256', ''))],
    ['signed RS256 by the console', forged({ ...rs256 }, good, rsa(consoleKey))],
    [
      'signed RS256 by the console under our key’s name',
      forged({ ...rs256, kid: 'platform-test' }, good, rsa(consoleKey)),
    ],
    ['signed by a stranger', forged(eddsa, good, ed25519(stranger.privateKey))],
    [
      'signed by a stranger who brings the key along',
      forged({ ...eddsa, jwk: strangersJwk }, good, ed25519(stranger.privateKey)),
    ],
    [
      'signed by a stranger who says where the key is',
      forged({ ...eddsa, jku: 'https://evil.example/jwks' }, good, ed25519(stranger.privateKey)),
    ],
    [
      'signed by a stranger who brings a certificate',
      forged({ ...eddsa, x5c: ['MIIB'], x5u: 'https://evil.example' }, good, ed25519(stranger.privateKey)),
    ],
    ['under the name of an unknown key', platform({}, { kid: 'another' })],
    ['under the name of a file', platform({}, { kid: '../../../dev/null' })],
    [
      'with an extension that must be understood',
      forged({ ...eddsa, crit: ['exp'] }, good, ed25519(platformKey)),
    ],
    [
      'with a payload that is not encoded',
      forged({ ...eddsa, b64: false, crit: ['b64'] }, good, ed25519(platformKey)),
    ],

    ['of type JWT', platform({}, { typ: 'JWT' })],
    ['of no type', forged({ alg: 'EdDSA', kid: 'platform-test' }, good, ed25519(platformKey))],
    ['of the type of an ID token', platform({}, { typ: 'id+jwt' })],
    ['of a type that is a list', platform({}, { typ: ['at+jwt'] })],

    ['expired', platform({ exp: nowSeconds - 1 })],
    ['expired long ago', platform({ iat: 1, exp: 2 })],
    ['that never expires', platformWithout('exp')],
    ['that expires in words', platform({ exp: 'tomorrow' })],
    ['that is not good yet', platform({ nbf: nowSeconds + 3_600 })],
    ['without the moment it was issued', platformWithout('iat')],
    ['without an id', platformWithout('jti')],
    ['without a subject', platformWithout('sub')],
    ['without a session', platformWithout('sid')],
    ['whose subject is no user', platform({ sub: 'admin' })],
    ['whose subject is a session', platform({ sub: good['sid'] })],
    ['whose subject is a number', platform({ sub: 7 })],
    ['whose subject is a list', platform({ sub: [good['sub']] })],
    ['whose session is no session', platform({ sid: '__proto__' })],
    ['whose session is empty', platform({ sid: '' })],

    ['of no issuer', platformWithout('iss')],
    ['of another issuer', platform({ iss: 'https://evil.example' })],
    ['of our issuer with a slash', platform({ iss: `${good['iss']}/` })],
    ['of our issuer in capitals', platform({ iss: String(good['iss']).toUpperCase() })],
    ['of several issuers', platform({ iss: [good['iss']] })],
    ['for nobody', platformWithout('aud')],
    ['for another audience', platform({ aud: 'platform-console' })],
    ['for an audience that begins like ours', platform({ aud: 'platform-api-staging' })],
    ['for several others', platform({ aud: ['other', 'platform'] })],

    ['of the console, expired', consoleToken({ exp: nowSeconds - 6 })],
    ['of the console, that is not good yet', consoleToken({ nbf: nowSeconds + 3_600 })],
    ['of the console, that never expires', forged(rs256, without(admin, 'exp'), rsa(consoleKey))],
    ['of the console, without a subject', forged(rs256, without(admin, 'sub'), rsa(consoleKey))],
    ['of the console, whose subject is empty', consoleToken({ sub: '' })],
    ['of the console, whose subject is a list', consoleToken({ sub: ['admin'] })],
    ['of the console, for another audience', consoleToken({ aud: 'platform-api' })],
    ['of the console, for nobody', forged(rs256, without(admin, 'aud'), rsa(consoleKey))],
    [
      'of the console, for another client',
      forged(rs256, { ...without(admin, 'aud'), client_id: 'another' }, rsa(consoleKey)),
    ],
    ['of the console, of another issuer', consoleToken({ iss: 'https://console.evil.example' })],
    ['of the console, for who a person is', consoleToken({}, { typ: 'JWT' })],
    ['of the console, for who a person is, as Cognito marks it', consoleToken({ token_use: 'id' })],
    ['of the console, of an unknown use', consoleToken({ token_use: 'refresh' })],
    ['of the console, under an unknown key', consoleToken({}, { kid: 'platform-test' })],
    ['of the console, of algorithm none', `${encoded({ ...rs256, alg: 'none' })}.${consolePayload}.`],
    [
      'of the console, signed HS256 with its public key',
      forged({ ...rs256, alg: 'HS256' }, admin, hs('sha256', pem(consoleKey))),
    ],
    ['of the console, signed with SHA-1', forged({ ...rs256, alg: 'RS1' }, admin, rsa(consoleKey, 'sha1'))],
    ['of the console, signed RS512', forged({ ...rs256, alg: 'RS512' }, admin, rsa(consoleKey, 'sha512'))],
    ['of the console, whose signature is spelled in another way', respelled(consoleJwt)],
    ['of the console, signed by us', forged({ ...eddsa }, admin, ed25519(platformKey))],
    [
      'of the console, whose groups were changed',
      tampered(consoleHeader, { ...admin, 'cognito:groups': ['root'] }, consoleJwt.split('.')[2] ?? ''),
    ],
  ]

  return [
    ...bare,
    ...(await Promise.all(
      broken.map(async ([why, made]): Promise<BadCredential> => [`a token ${why}`, `Bearer ${await made}`]),
    )),
  ]
}

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

function forged(header: object, payload: unknown, signer: (input: string) => Buffer): string {
  const input = `${encoded(header)}.${encoded(payload)}`
  return `${input}.${signer(input).toString('base64url')}`
}

const tampered = (header: string, payload: object, signature: string): string =>
  `${header}.${encoded(payload)}.${signature}`

/** Sets an unused bit of a token's last character, so that it decodes to the same bytes. */
const respelled = (token: string): string =>
  token.slice(0, -1) + String.fromCharCode(token.charCodeAt(token.length - 1) + 1)

const without = (claims: Claims, claim: string): Claims =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => name !== claim))

const keyOf = (keys: object): KeyObject =>
  createPrivateKey({ key: (keys as { keys: JWK[] }).keys[0] ?? {}, format: 'jwk' })

const pem = (key: KeyObject): string =>
  createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString()
const jwk = (key: KeyObject): string => JSON.stringify(createPublicKey(key).export({ format: 'jwk' }))
const bytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
const rsa =
  (key: KeyObject, hash = 'sha256') =>
  (input: string) =>
    sign(hash, Buffer.from(input), key)

/** The order of the group of Ed25519: a signature's second half plus it solves the same equation (RFC 8032, 8.4). */
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n

function malleable(signature: string): string {
  const signed = Buffer.from(signature, 'base64url')
  const half = BigInt(`0x${Buffer.from(signed.subarray(32)).reverse().toString('hex')}`) + ORDER
  const other = Buffer.from(half.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signed.subarray(0, 32), other]).toString('base64url')
}
