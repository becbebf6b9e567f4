import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { currentStatus } from '#lib/accounts/kyc-state'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { retryConflicts } from '#lib/kernel/retry'
import { type KycDocument, unseenOf } from './document.ts'
import type { DocumentFiles } from './document-files.ts'
import type { KycStore, RecordedDecision } from './kyc-store.ts'

type Deps = {
  accounts: AccountStore
  kycStore: KycStore
  files: Pick<DocumentFiles, 'remove'>
  now: Clock
}

/**
 * Ends the caller's wait for a decision, and erases the documents handed in since the last one. Documents that an
 * administrator was given a link to stay, and so does the status. For a caller who does not wait, only completes an
 * interrupted erasure. Throws `in_review` while the status is PENDING, which an administrator decided.
 */
export async function withdrawKyc(deps: Deps, caller: Account): Promise<void> {
  const { accounts, kycStore, now } = deps
  await retryConflicts(async (isRetry) => {
    const account = isRetry ? await accounts.get(caller.id) : caller
    if (!account) throw new DomainError('unauthenticated')
    if (currentStatus(account.kyc, now()) === 'PENDING') {
      throw new DomainError('in_review', { detail: 'An administrator is reviewing the identity' })
    }
    if (account.kyc.waitingSince === null) return
    const at = timestamp(now())
    const [documents, decisions] = await Promise.all([
      kycStore.listDocuments(account.id),
      kycStore.listDecisions(account.id),
    ])
    const withdrawn = listWithdrawable(documents, decisions)
    const kyc = {
      ...account.kyc,
      documentCount: account.kyc.documentCount - withdrawn.length,
      waitingSince: null,
    }
    const marks = withdrawn.map((document) => kycStore.withdraw(account.id, document, at))
    await accounts.save(account, { ...account, kyc, updatedAt: at }, marks)
  })
  await eraseWithdrawn(deps, caller)
}

/**
 * Lists the documents handed in since an administrator's last decision of which none was given a link. The expiry of a
 * verification is no decision on a document.
 */
function listWithdrawable(
  documents: readonly KycDocument[],
  decisions: readonly RecordedDecision[],
): KycDocument[] {
  const decidedAt = decisions.find(({ decidedBy }) => decidedBy !== 'system')?.decidedAt ?? ''
  return unseenOf(documents).filter(({ createdAt }) => createdAt > decidedAt)
}

/** Erases the bytes, then the record that names them, so that the next call completes an interrupted one. */
async function eraseWithdrawn({ kycStore, files }: Deps, { id }: Account): Promise<void> {
  for (const document of await kycStore.listWithdrawn(id)) {
    await files.remove(id, document.id)
    await kycStore.commit([kycStore.removeDocument(id, document)])
  }
}
