import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { currentStatus } from '#lib/accounts/kyc-state'
import type { ListingLimits } from '#lib/accounts/listing-limits'
import { rereadByRegistration } from '#lib/accounts/reread-caller'
import { uploaderOf } from '#lib/accounts/uploader'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError, type FieldError, invalidFields } from '#lib/kernel/domain-error'
import type { NewId } from '#lib/kernel/id'
import type { Quotas } from '#lib/kernel/quota'
import { retryConflicts } from '#lib/kernel/retry'
import { sha256 } from '#lib/kernel/signatures'
import { inspectFile } from '#lib/media/inspect/inspect-file'
import { countUploads } from '#lib/media/upload-quotas'
import { DOCUMENTS_MAX, DocumentType, type KycDocument } from './document.ts'
import type { DocumentFiles } from './document-files.ts'
import type { KycStore } from './kyc-store.ts'

/** One part of the multipart request, as it was sent. */
type Part = { name: string; content: Buffer }

type Deps = {
  accounts: AccountStore
  kycStore: KycStore
  files: Pick<DocumentFiles, 'put' | 'remove'>
  quotas: Quotas
  /** Their `files` bounds what a person may upload in an hour, documents included. */
  limits: ListingLimits
  now: Clock
  newId: NewId
}

/**
 * Hands in a document for an administrator; the person waits from now on, their status stays as it is. The same bytes
 * sent again as the same type, even simultaneously, return the stored document; it waits again if it was withdrawn, or if
 * the verification has expired. The bytes are stored before the record names them. Throws `validation_failed` naming the
 * part, `document_limit_reached`, and `too_many_requests`: documents count with media.
 */
export async function uploadDocument(
  deps: Deps,
  caller: Account,
  parts: readonly Part[],
): Promise<KycDocument> {
  const { accounts, kycStore, files, now } = deps
  const { content, ...facts } = await readDocument(parts)
  const id = deps.newId('document')
  let isStored = false
  /** Removes bytes that no record will name. */
  const discard = () => (isStored ? files.remove(caller.id, id) : undefined)
  return retryConflicts(async (isRetry) => {
    // Throws once the address's owner has taken the account back, who must not receive this document.
    const account = isRetry ? await rereadByRegistration(deps, caller) : caller
    const same = findSameOrRequireRoom(await kycStore.listDocuments(caller.id), facts)
    if (same) {
      // A repeated attempt may find the record that the first one has stored.
      if (same.id !== id) await discard()
      if (isKeptByWithdrawal(account, same) || isToRenew(account, now())) await waitAgain(deps, account)
      return same
    }
    if (!isStored) await files.put(caller.id, id, { content, contentType: facts.contentType })
    isStored = true
    // The time of this attempt: after a conflict with a decision, the document must be newer than that decision.
    const document: KycDocument = { ...facts, id, createdAt: timestamp(now()) }
    await accounts.save(account, withDocument(account, document), [
      kycStore.insertDocument(caller.id, document),
      ...countUploads(deps.quotas, uploaderOf(account, deps.limits), [document], now()),
    ])
    return document
  }).catch(async (error: unknown) => {
    // A transaction that ended in `unavailable`, or in an unexpected error, may have stored the record.
    if (error instanceof DomainError && error.code !== 'unavailable') await discard()
    throw error
  })
}

/** Returns the stored document with the same bytes and type. Without one, throws `document_limit_reached` at the limit. */
function findSameOrRequireRoom(
  known: readonly KycDocument[],
  { sha256, type }: Pick<KycDocument, 'sha256' | 'type'>,
): KycDocument | undefined {
  const same = known.find((each) => each.sha256 === sha256 && each.type === type)
  if (!same && known.length >= DOCUMENTS_MAX) {
    throw new DomainError('document_limit_reached', { detail: `There may be ${DOCUMENTS_MAX} documents` })
  }
  return same
}

/**
 * Whether the person has withdrawn, but this document stayed: no decision covers it, and yet the person does not wait. A
 * withdrawal keeps what an administrator has seen, and what is older than a decision, though unseen.
 */
function isKeptByWithdrawal({ kyc }: Account, { createdAt, seenAt }: KycDocument): boolean {
  const isDecided = seenAt !== undefined && kyc.decidedAt !== null && createdAt <= kyc.decidedAt
  return kyc.waitingSince === null && !isDecided
}

/** Whether a verification has expired, so that documents of before it are handed in to renew it. */
const isToRenew = ({ kyc }: Account, now: Date): boolean =>
  kyc.waitingSince === null && currentStatus(kyc, now) === 'EXPIRED'

/** Has a person wait from now on. */
async function waitAgain({ accounts, now }: Deps, account: Account): Promise<void> {
  const at = timestamp(now())
  await accounts.save(account, { ...account, kyc: { ...account.kyc, waitingSince: at }, updatedAt: at })
}

/** Returns the account with one more document: it waits for a decision since this document, or since earlier. */
const withDocument = (account: Account, { createdAt }: KycDocument): Account => ({
  ...account,
  kyc: {
    ...account.kyc,
    documentCount: account.kyc.documentCount + 1,
    waitingSince: account.kyc.waitingSince ?? createdAt,
  },
})

const ACCEPTED_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'application/pdf'] as const

/** Checks both the type and the file, so that one answer names everything that is wrong. */
async function readDocument(parts: readonly Part[]) {
  const text = parts
    .find(({ name }) => name === 'type')
    ?.content.toString('utf8')
    .trim()
  const type = DocumentType.safeParse(text).data
  const content = parts.find(({ name }) => name === 'file')?.content
  const inspected = content && (await inspectFile(content, ACCEPTED_TYPES))
  if (type && content && inspected?.outcome === 'accepted') {
    const { contentType } = inspected
    return { type, content, contentType, bytes: content.length, sha256: sha256(content) }
  }
  const errors: FieldError[] = []
  if (!content) errors.push(missingPart('file'))
  if (inspected?.outcome === 'refused') {
    errors.push({ path: 'file', code: inspected.code, message: inspected.message })
  }
  if (!text) errors.push(missingPart('type'))
  else if (!type) {
    const message = `must be one of ${DocumentType.options.join(', ')}`
    errors.push({ path: 'type', code: 'invalid_value', message })
  }
  throw invalidFields(errors)
}

const missingPart = (path: string): FieldError => ({ path, code: 'required', message: 'is required' })
