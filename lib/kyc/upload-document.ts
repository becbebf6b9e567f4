import { createHash } from 'node:crypto'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError, type FieldError, invalidFields } from '#lib/kernel/domain-error'
import type { NewId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import { inspectFile } from '#lib/media/inspect/inspect-file'
import { countUploads } from '#lib/media/upload-quotas'
import { DECIDED_BY } from './decision-log.ts'
import { DOCUMENTS_MAX, DocumentType, type KycDocument } from './document.ts'
import type { DocumentFiles } from './document-files.ts'
import type { KycRecords } from './kyc-records.ts'

/** One part of the upload, as it was sent. */
type Part = { name: string; content: Buffer }

type Deps = {
  accounts: AccountStore
  records: KycRecords
  files: DocumentFiles
  quotas: Quotas
  now: Clock
  newId: NewId
}

/**
 * Hands in a document for an administrator to look at; the person waits from now on, their status stays as it
 * is. The same bytes as the same type once more, even at the same time, are the document that is there. The
 * bytes are stored before the record names them. Throws `validation_failed` naming the part,
 * `document_limit_reached`, and `too_many_requests`: documents count with media.
 */
export async function uploadDocument(
  deps: Deps,
  caller: Account,
  parts: readonly Part[],
): Promise<KycDocument> {
  const { accounts, records, files } = deps
  const { content, ...read } = await readDocument(parts)
  const id = deps.newId('document')
  const document: KycDocument = { ...read, id, createdAt: timestamp(deps.now()) }
  return retryConflicts(async (isRetry) => {
    const account = isRetry ? await accounts.get(caller.id) : caller
    const known = await records.documents(caller.id)
    const same = known.find(({ sha256, type }) => sha256 === read.sha256 && type === read.type)
    const isFull = known.length >= DOCUMENTS_MAX
    // The account has ended, or the address's owner has taken it back: the document would become the owner's.
    const isSamePerson = account?.passwordHash === caller.passwordHash
    // Nobody would ever name what an earlier try has stored.
    if (isRetry && (same || !isSamePerson || isFull)) await files.remove(caller.id, id)
    if (!isSamePerson) throw new DomainError('unauthenticated')
    if (same) return same
    if (isFull) {
      throw new DomainError('document_limit_reached', { detail: `There may be ${DOCUMENTS_MAX} documents` })
    }
    if (!isRetry) await files.put(caller.id, id, { content, contentType: document.contentType })
    const writes = [
      records.insertDocument(caller.id, document),
      ...countUploads(deps.quotas, account, [document], deps.now()),
    ]
    try {
      await accounts.save(account, waiting(account, document), DECIDED_BY, writes)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'too_many_requests')
        await files.remove(caller.id, id)
      throw error
    }
    return document
  })
}

/** The account with one document more, waiting for a decision since then at the latest. */
const waiting = (account: Account, { createdAt }: KycDocument): Account => ({
  ...account,
  kyc: {
    ...account.kyc,
    documents: account.kyc.documents + 1,
    waitingSince: account.kyc.waitingSince ?? createdAt,
  },
})

const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const

/** Looks at the type and the file before either is kept, so that one answer names everything that is wrong. */
async function readDocument(parts: readonly Part[]) {
  const text = parts
    .find(({ name }) => name === 'type')
    ?.content.toString('utf8')
    .trim()
  const type = DocumentType.safeParse(text).data
  const content = parts.find(({ name }) => name === 'file')?.content
  const inspected = content && (await inspectFile(content, ACCEPTED_TYPES))
  if (type && content && inspected?.outcome === 'accepted') {
    const sha256 = createHash('sha256').update(content).digest('hex')
    return { type, content, contentType: inspected.contentType, bytes: content.length, sha256 }
  }
  const errors: FieldError[] = []
  if (!content) errors.push(missing('file'))
  if (inspected?.outcome === 'refused') {
    errors.push({ path: 'file', code: inspected.code, message: inspected.message })
  }
  if (!text) errors.push(missing('type'))
  else if (!type) {
    const message = `must be one of ${DocumentType.options.join(', ')}`
    errors.push({ path: 'type', code: 'invalid_value', message })
  }
  throw invalidFields(errors)
}

const missing = (path: string): FieldError => ({ path, code: 'required', message: 'is required' })
