import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import * as z from 'zod'

const Jwk = z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string() })
/** At least one key. */
const Jwks = z.object({ keys: z.tuple([Jwk], Jwk) })

const LocalKeys = z.object({
  /** Private keys of the platform's own tokens; the first signs. */
  signingKeys: Jwks,
  /** Private keys of the local OpenID provider; the first signs. */
  openidKeys: Jwks,
  openidCookieKey: z.string(),
  hmacKeys: z.string(),
  dataKeys: z.string(),
  cursorKeys: z.string(),
  sandboxWebhookSecret: z.string(),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
})

/** Every secret of one local stack. */
export type LocalKeys = z.infer<typeof LocalKeys>

const KEYS_FILE = 'keys.json'

/**
 * Returns the secrets of the stack whose data lives in `directory`. The first call makes them and later calls return the
 * same, also when two processes call at once. Only the file's owner may read it.
 */
export async function localKeys(directory: string): Promise<LocalKeys> {
  const file = join(directory, KEYS_FILE)
  const kept = await readKept(file)
  if (kept !== undefined) return kept

  await mkdir(directory, { recursive: true })
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, JSON.stringify(await makeKeys(), null, 2), { mode: 0o600 })
  // A link fails when the name is taken, so of two processes the first decides for both.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return LocalKeys.parse(JSON.parse(await readFile(file, 'utf8')))
}

async function readKept(file: string): Promise<LocalKeys | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return text === undefined ? undefined : LocalKeys.parse(JSON.parse(text))
}

const makeKeys = async (): Promise<LocalKeys> => ({
  signingKeys: { keys: [await privateJwk('EdDSA')] },
  openidKeys: { keys: [await privateJwk('RS256')] },
  openidCookieKey: randomKey(),
  hmacKeys: randomKey(),
  dataKeys: randomKey(),
  cursorKeys: randomKey(),
  sandboxWebhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  secretAccessKey: randomBytes(30).toString('base64'),
})

const randomKey = () => randomBytes(32).toString('base64url')

async function privateJwk(algorithm: 'EdDSA' | 'RS256') {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return Jwk.parse({ ...(await exportJWK(privateKey)), kid: randomUUID(), use: 'sig', alg: algorithm })
}
