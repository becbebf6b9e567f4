import { randomBytes, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { SERVICE } from './arguments.ts'

/** A value that must stand in the account before a stage is deployed. */
export type AccountValue = {
  /** Its name in SSM Parameter Store, or in Secrets Manager. */
  name: string
  /** A `SecureString` is read by functions. A value that CloudFormation resolves must be a `String`, even a key. */
  store: 'String' | 'SecureString' | 'secret'
  /** The meaning of the value and its source, for the operator. */
  what: string
  /** Makes a fresh value; undefined where only the operator knows it. `made` holds those made before it. */
  make: ((made: ReadonlyMap<string, string>) => Promise<string>) | undefined
}

type Options = { console?: string | undefined; front?: string | undefined; mailFrom?: string | undefined }

/** Everything that a stage reads from its account, in the order in which it is made. */
export function accountValues(stage: string, options: Options): AccountValue[] {
  const parameter = (name: string): string => `/${SERVICE}/${stage}/${name}`
  const given = (value: string | undefined) => (value === undefined ? undefined : async () => value)
  const signingKeys = parameter('auth-signing-keys')
  return [
    {
      name: signingKeys,
      store: 'SecureString',
      what: 'the private keys that sign access tokens, as a JWKS whose first key signs',
      make: async () => JSON.stringify({ keys: [await signingKey()] }),
    },
    {
      name: parameter('auth-jwks'),
      store: 'String',
      what: 'the public halves of auth-signing-keys',
      make: async (made) => publicHalves(made.get(signingKeys)),
    },
    {
      name: parameter('hmac-keys'),
      store: 'SecureString',
      what: 'the keys that refresh tokens and mailed links derive from, the first signs',
      make: async () => randomKey(),
    },
    {
      name: parameter('data-keys'),
      store: 'SecureString',
      what: 'the AES-256 keys that secrets of accounts are encrypted with, the first encrypts',
      make: async () => randomKey(),
    },
    {
      name: parameter('cursor-keys'),
      store: 'String',
      what: 'the keys that make cursors of lists authentic, the first signs',
      make: async () => randomKey(),
    },
    ...(options.front === 'off'
      ? []
      : [
          {
            name: parameter('origin-secrets'),
            store: 'String' as const,
            what: 'what CloudFront proves itself by to the functions, the first is sent',
            make: async () => randomKey(),
          },
        ]),
    {
      name: parameter('mail-from'),
      store: 'String',
      what: 'the plain address that mail comes from, verified in SES: --param mailFrom=no-reply@example.com',
      make: given(options.mailFrom),
    },
    ...(options.console === 'external'
      ? ['console-issuer', 'console-audience'].map((name) => ({
          name: parameter(name),
          store: 'String' as const,
          what: `${name === 'console-issuer' ? 'the issuer of' : 'the client at'} your administrators' OpenID provider`,
          make: undefined,
        }))
      : []),
    {
      name: `${SERVICE}/${stage}/payment-providers`,
      store: 'secret',
      what: 'the payment providers that are switched on, as one JSON object; {} for none',
      make: async () => '{}',
    },
  ]
}

const randomKey = (): string => randomBytes(32).toString('base64url')

async function signingKey() {
  const { privateKey } = await generateKeyPair('EdDSA', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: 'EdDSA' }
}

/** Returns the public halves of a JWKS of private keys; without a JWKS, an empty one. */
export function publicHalves(signingKeys: string | undefined): string {
  const { keys } = JSON.parse(signingKeys ?? '{"keys":[]}') as { keys: Record<string, unknown>[] }
  // `d` is the private part of a key (RFC 8037).
  return JSON.stringify({ keys: keys.map(({ d: _, ...publicHalf }) => publicHalf) })
}
