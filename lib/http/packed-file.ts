import { DomainError } from '#lib/kernel/domain-error'
import { ISOLATION_HEADERS } from './reply.ts'

/** A file as the build leaves it: compressed once, and not for each request. */
export type PackedFile = { readonly contentType: string; readonly brotliBase64: string }

/** The files of a page by name; a name holds a hash of the content. */
type PackedFiles = Readonly<Record<string, PackedFile>>

/**
 * Answers with one of a page's files, which caches keep for a year: another content has another name. Throws
 * `not_found` for a name that no file has.
 */
export function sendFile(files: PackedFiles, name: string) {
  const file = Object.hasOwn(files, name) ? files[name] : undefined
  if (file === undefined) throw new DomainError('not_found')
  return {
    status: 200 as const,
    body: Buffer.from(file.brotliBase64, 'base64'),
    headers: {
      'content-type': file.contentType,
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    },
  }
}

/**
 * Answers with a packed page, under this content security policy. Every answer is `no-store` by default, and a page stays
 * so, since it names the newest files.
 */
export const sendPage = ({ contentType, brotliBase64 }: PackedFile, policy: string) => ({
  status: 200 as const,
  body: Buffer.from(brotliBase64, 'base64'),
  headers: {
    'content-type': contentType,
    'content-encoding': 'br',
    'content-security-policy': policy,
    ...ISOLATION_HEADERS,
  },
})
