import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleToken } from '#lib/local/commands/token'
import { localEnvironment, publicPart } from '#lib/local/environment'
import { type LocalKeys, localKeys } from '#lib/local/keys'
import { portsFrom } from '#lib/local/ports'
import { readSettings } from '#lib/local/settings'

let directory: string
let keys: LocalKeys

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'keys-'))
  keys = await localKeys(directory)
})

afterAll(() => rm(directory, { recursive: true }))

const environment = (caller: NodeJS.ProcessEnv = {}, port = 3000) =>
  localEnvironment(portsFrom(port), keys, caller)

describe('the environment of a local stack', () => {
  it('points every part at the ports that follow from the first', () => {
    expect(environment({}, 4000)).toMatchObject({
      STAGE: 'local',
      PUBLIC_URL: 'http://localhost:4000',
      AUTH_ISSUER: 'http://localhost:4000',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:15602',
      AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:15603',
      MEDIA_URL: 'http://localhost:15604',
      CONSOLE_ISSUER: 'http://localhost:15605',
      CONSOLE_JWKS_URI: 'http://localhost:15605/jwks',
      MAIL_TRANSPORT: 'smtp://127.0.0.1:15606',
    })
  })

  it('lets a variable that the caller set win', () => {
    const caller = {
      PASSWORD_MIN_LENGTH: '15',
      AWS_ENDPOINT_URL_DYNAMODB: 'http://b:8000',
    }

    expect(environment(caller)).toMatchObject(caller)
  })

  it('allows any localhost origin, whatever CORS_ORIGINS adds', () => {
    const { CORS_ORIGINS } = environment({ CORS_ORIGINS: 'http://a' })
    expect(CORS_ORIGINS?.split(',')).toEqual(expect.arrayContaining(['http://a', 'http://localhost:*']))
  })

  it('takes a variable that is set to nothing as not set', () => {
    expect(environment({ STAGE: '' })).toMatchObject({ STAGE: 'local' })
  })

  it('never lets the caller’s AWS account in', () => {
    const caller = {
      AWS_PROFILE: 'production',
      AWS_ACCESS_KEY_ID: 'AKIA',
      AWS_SESSION_TOKEN: 'x',
      AWS_REGION: 'us-east-1',
    }
    const made = environment(caller)

    expect(made).toMatchObject({ AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_REGION: 'eu-west-1' })
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['AWS_PROFILE']))
    expect(Object.keys(made)).not.toEqual(expect.arrayContaining(['AWS_SESSION_TOKEN']))
  })

  it('shows the public part of the signing keys only', () => {
    const [key] = JSON.parse(`${environment()['AUTH_JWKS']}`).keys

    expect(key).toEqual({
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      kid: keys.signingKeys.keys[0].kid,
      x: expect.any(String),
    })
  })

  it('adds the sandbox to the payment providers of the caller', () => {
    const made = environment({
      PAYMENT_PROVIDERS: '{"stripe":{"apiKey":"sk"},"sandbox":{"apiBase":"http://elsewhere"}}',
    })

    expect(JSON.parse(`${made['PAYMENT_PROVIDERS']}`)).toEqual({
      stripe: { apiKey: 'sk' },
      sandbox: { webhookSecrets: [keys.sandboxWebhookSecret], apiBase: 'http://elsewhere' },
    })
  })

  it.each(['{', '[]', '{"stripe":1}'])('refuses payment providers spelt %s by their name', (text) => {
    expect(() => environment({ PAYMENT_PROVIDERS: text })).toThrow(/^PAYMENT_PROVIDERS /)
  })
})

describe('the keys of a local stack', () => {
  it('are the same for all who ask, also at once', async () => {
    const fresh = join(directory, 'fresh')
    const asked = await Promise.all([localKeys(fresh), localKeys(fresh), localKeys(fresh)])

    expect(asked[1]).toEqual(asked[0])
    expect(asked[2]).toEqual(asked[0])
    expect(await localKeys(fresh)).toEqual(asked[0])
  })

  it('are for their owner’s eyes only', async () => {
    expect((await stat(join(directory, 'keys.json'))).mode & 0o777).toBe(0o600)
  })

  it('are others in another directory', async () => {
    expect((await localKeys(join(directory, 'other'))).hmacKeys).not.toBe(keys.hmacKeys)
  })
})

describe('a console token', () => {
  it('is an administrator’s access token of the local OpenID provider, good for twelve hours', async () => {
    const token = await consoleToken({ port: 4000, directory }, { sub: 'ann' })
    const { payload, protectedHeader } = await jwtVerify(
      token,
      createLocalJWKSet(publicPart(keys.openidKeys)),
    )

    expect(protectedHeader).toEqual({ typ: 'at+jwt', alg: 'RS256', kid: keys.openidKeys.keys[0].kid })
    expect(payload).toMatchObject({
      iss: 'http://localhost:15605',
      aud: 'platform-console',
      client_id: 'platform-console',
      sub: 'ann',
      'cognito:groups': ['admins'],
      jti: expect.any(String),
    })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(12 * 3600)
  })
})

describe('the settings', () => {
  it('have defaults', () => {
    expect(readSettings({})).toEqual({
      port: 3000,
      directory: join(process.cwd(), '.local'),
      demoData: true,
      logFormat: 'text',
    })
  })

  it.each([{ PORT: 'x' }, { PORT: '65536' }, { DEMO_DATA: 'maybe' }])('refuse %o by its name', (given) => {
    expect(() => readSettings(given)).toThrow(`${Object.keys(given)} is not valid.`)
  })
})
