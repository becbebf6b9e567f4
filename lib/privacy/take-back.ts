import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { currentStatus, type KycState, UNDECIDED } from '#lib/accounts/kyc-state'
import { standingChanged } from '#lib/accounts/standing'
import { type Clock, timestamp } from '#lib/kernel/clock'
import type { NewId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { decisionWrites } from '#lib/kyc/decision-log'
import type { KycRecords } from '#lib/kyc/kyc-records'
import type { PrivateFiles } from './private-files.ts'

type Deps = {
  accounts: AccountStore
  records: KycRecords
  files: PrivateFiles
  now: Clock
  newId: NewId
}

/**
 * The writes that hand an account to the owner of its address, who has just proven to be that: whoever
 * registered it may have been anyone. What was entered before is cleared: name, telephone number, agent
 * profile, identity and its documents; and what was mailed before proves nothing any more. `set` is changed
 * along with it, if the account is as `seen`. The files go first: what breaks off is completed by trying again.
 */
export async function takeBack(
  deps: Deps,
  account: Account,
  seen: Record<string, unknown>,
  set: Partial<Account>,
): Promise<Write[]> {
  const { records, files, newId } = deps
  const documents = await records.documents(account.id)
  if (documents.length > 0) await files.removeAll(account.id)
  const cleared = { ...set, registration: newId('event'), name: null, phone: null, agent: null }
  return [
    ...identityWrites(deps, account, seen, cleared),
    ...documents.map((document) => records.removeDocument(account.id, document)),
  ]
}

/** Back to undecided: a decision of its own where there was one before, else part of the account's change. */
function identityWrites(
  deps: Deps,
  account: Account,
  seen: Record<string, unknown>,
  set: Partial<Account>,
): Write[] {
  const { accounts, now } = deps
  const { id, kyc: before, standingRevision: revision } = account
  const at = timestamp(now())
  const from = currentStatus(before, now())
  if (from !== 'UNVERIFIED') {
    const decisions = before.decisions + 1
    const kyc = { ...UNDECIDED, previousStatus: from, decidedBy: 'system', decidedAt: at, decisions }
    return decisionWrites(deps, account, from, kyc, at, { seen, set })
  }
  const kyc: KycState = { ...UNDECIDED, decisions: before.decisions }
  const standingRevision = revision + 1
  const allSeen = { ...seen, standingRevision: revision, 'kyc.documents': before.documents }
  return [
    accounts.change(id, allSeen, { ...set, kyc, standingRevision }),
    ...accounts.relist(account, { ...account, kyc }),
    standingChanged(id, standingRevision, at),
  ]
}
