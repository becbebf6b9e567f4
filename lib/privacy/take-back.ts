import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import { currentStatus, UNDECIDED } from '#lib/accounts/kyc-state'
import type { TakeBack } from '#lib/accounts/passwords/reset-password'
import { type Clock, Timestamp, timestamp } from '#lib/kernel/clock'
import { type NewId, UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { DECIDED_BY, decided, decisionWrites } from '#lib/kyc/decision-log'
import type { DocumentFiles } from '#lib/kyc/document-files'
import type { KycRecords } from '#lib/kyc/kyc-records'

/** The stored item that an account was taken back by the owner of its address. */
export const TakenBack = z.object({ userId: UserId, at: Timestamp })

/**
 * Part of the transaction that takes an account back. The table's stream carries it to the function that archives
 * listings.
 */
export type TakeBacks = { insert: (userId: UserId, at: Timestamp) => Write }

type Deps = {
  records: KycRecords
  takeBacks: TakeBacks
  files: DocumentFiles
  now: Clock
  newId: NewId
}

/**
 * Hands an account to the owner of its address, at the first reset of a never verified one: somebody else may have
 * registered it. Clears name, telephone number, agent profile, identity and documents, voids every mailed link and has the listings archived.
 * A REJECTED decision stays with its documents, so that a reset does not wash it off. The bytes of documents are
 * removed first: a take-back that breaks off is completed by trying again.
 */
export const takeBack =
  (deps: Deps): TakeBack =>
  async (account, reset) => {
    const cleared = {
      ...reset,
      registration: deps.newId('registration'),
      name: null,
      phone: null,
      agent: null,
    }
    const identity = await clearedIdentity(deps, account, cleared)
    // Lists hold names and telephone numbers: a change of one meanwhile would leave its entry behind.
    const also = [...identity.also, deps.takeBacks.insert(account.id, reset.updatedAt)]
    return { ...identity, also, seen: [...DECIDED_BY, 'name', 'phone', 'agent'] }
  }

async function clearedIdentity(
  deps: Deps,
  account: Account,
  cleared: Account,
): Promise<{ next: Account; also: Write[] }> {
  const { records, files, now } = deps
  const { id, kyc: before } = account
  const at = timestamp(now())
  const from = currentStatus(before, now())
  if (from === 'REJECTED') return { next: decided(cleared, before, at), also: [] }
  const documents = await records.documents(id)
  if (documents.length > 0) await files.removeAll(id)
  const removed = documents.map((document) => records.removeDocument(id, document))
  const { decisions } = before
  if (from === 'UNVERIFIED') {
    return { next: decided(cleared, { ...UNDECIDED, decisions }, at), also: removed }
  }
  const kyc = {
    ...UNDECIDED,
    previousStatus: from,
    decidedBy: 'system',
    decidedAt: at,
    decisions: decisions + 1,
  }
  const recorded = decisionWrites(deps, account, from, kyc, at)
  return { next: decided(cleared, kyc, at), also: [...recorded, ...removed] }
}
