import { type FieldError, invalidFields } from '#lib/kernel/domain-error'
import { sha256 } from '#lib/kernel/signatures'
import { fieldErrors } from '#lib/kernel/validation-problem'
import type { FileKind } from '#lib/media/file-kind'
import { type ContentType, inspectFile } from '#lib/media/inspect/inspect-file'
import { Caption } from './media.ts'

/** One part of a form, as it was sent. */
export type Part = { name: string; content: Buffer }

/** A file of a form. Its first bytes decide kind and content type. */
export type ReadFile = {
  content: Buffer
  sha256: string
  kind: FileKind
  contentType: ContentType
  caption: string | null
}

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'application/pdf'] as const

/**
 * Returns the files of a form, in the order sent. The first caption is that of the first file, and so on. Throws one
 * `validation_failed` that names all faults of all parts.
 */
export async function readParts(parts: readonly Part[]): Promise<ReadFile[]> {
  const files = parts.filter(({ name }) => name === 'file')
  const captions = parts
    .filter(({ name }) => name === 'caption')
    .map(({ content }) => content.toString('utf8'))
  const errors: FieldError[] = []
  if (files.length === 0) errors.push({ path: 'file', code: 'required', message: 'is required' })
  if (captions.length > files.length)
    errors.push({ path: 'caption', code: 'too_many', message: 'has more captions than files' })

  const read: ReadFile[] = []
  for (const [index, { content }] of files.entries()) {
    const inspected = await inspectFile(content, TYPES)
    const caption = readCaption(captions[index] ?? '')
    for (const { message } of fieldErrors({ issues: caption.error?.issues ?? [] })) {
      errors.push({ path: `caption[${index}]`, code: 'invalid_value', message })
    }
    if (inspected.outcome === 'refused') {
      errors.push({ path: `file[${index}]`, code: inspected.code, message: inspected.message })
    } else {
      const { kind, contentType } = inspected
      read.push({ content, sha256: sha256(content), kind, contentType, caption: caption.data ?? null })
    }
  }
  if (errors.length === 0) return read
  throw invalidFields(errors)
}

/** Reads a caption: an empty one is none. */
const readCaption = (given: string) => Caption.nullable().safeParse(given.trim() === '' ? null : given)
