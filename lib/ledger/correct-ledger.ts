import * as z from 'zod'
import type { AccountReader } from '#lib/accounts/account-store'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, DAY_SECONDS, timestamp, unixSeconds } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import { type NewId, UserId } from '#lib/kernel/id'
import { AMOUNT_LIMIT, Currency } from '#lib/kernel/money'
import type { Once } from '#lib/kernel/once'
import { retryConflicts } from '#lib/kernel/retry'
import { plainText, text } from '#lib/kernel/text'
import { type Write, WriteConflict } from '#lib/kernel/write'
import type { AgentAccounts, NewEntry } from './agent-accounts.ts'
import type { AskedCorrection, AskedCorrections } from './asked-corrections.ts'
import { correctionKey } from './ledger.keys.ts'
import type { StatementEntryView } from './list-statement.ts'
import { agentAccount, type Books, type LedgerTransaction, PLATFORM } from './transaction.ts'

/** A correction of an agent's balance, against the platform. */
export const CorrectionDraft = z.object({
  agentId: UserId,
  currency: Currency,
  amount: z
    .int()
    .min(-AMOUNT_LIMIT)
    .max(AMOUNT_LIMIT)
    .refine((amount) => amount !== 0, 'must not be 0')
    .meta({ description: 'As the agent sees it: positive is owed to the agent', example: 150_000 }),
  note: text({ max: 1000 }).meta({ example: 'Checked by telephone.' }),
  approvalOf: plainText({ min: 1, max: 255 }).nullish().meta({
    description: 'The `Idempotency-Key` of the same correction that another administrator asked for',
  }),
})
type CorrectionDraft = z.infer<typeof CorrectionDraft>
type EntryView = z.infer<typeof StatementEntryView>

type Deps = {
  accounts: AccountReader
  agentAccounts: AgentAccounts
  askedCorrections: AskedCorrections
  books: Books
  journal: Journal
  /** By currency: the sum above which a second administrator approves. */
  payoutSettings: { approvalLimits: Readonly<Partial<Record<string, number>>> }
  once: Once<EntryView>
  now: Clock
  newId: NewId
}

/** Who asks for a correction, under which key. */
type Asking = { administrator: string; key: string }

const ASKED_SECONDS = DAY_SECONDS

/**
 * Corrects an agent's balance against the platform. Above the limit of one administrator the request is kept for 24 hours,
 * for another one to repeat with `approvalOf`. Throws `not_found`, `second_person_needed` and `validation_failed`.
 */
export async function correctLedger(deps: Deps, asking: Asking, draft: CorrectionDraft): Promise<EntryView> {
  const agent = await deps.accounts.get(draft.agentId)
  if (!agent?.agent) throw new DomainError('not_found')
  const limit = deps.payoutSettings.approvalLimits[draft.currency]
  const isAbove = limit !== undefined && Math.abs(draft.amount) > limit
  const approval = isAbove ? [await approvalFor(deps, asking, draft)] : []
  return retryConflicts(() => book(deps, asking, draft, approval))
}

/**
 * Returns the write that uses up the approval of a correction. Throws without a valid approval; without `approvalOf`, first
 * stores the request for another administrator to approve.
 */
async function approvalFor(deps: Deps, asking: Asking, draft: CorrectionDraft): Promise<Write> {
  const { approvalOf } = draft
  if (approvalOf == null) {
    await keep(deps, asking, draft)
    throw new DomainError('second_person_needed')
  }
  const notApprovable = () =>
    invalidField(
      'approvalOf',
      'must be the key of the same correction, asked for within 24 hours and not approved yet',
    )
  const asked = await deps.askedCorrections.get(approvalOf)
  if (!asked || asked.isApproved || asked.expiresAtSeconds * 1000 <= deps.now().getTime())
    throw notApprovable()
  if (!isSame(asked, draft)) throw notApprovable()
  if (asked.by === asking.administrator) throw new DomainError('second_person_needed')
  return deps.askedCorrections.approve(approvalOf, asked, notApprovable)
}

async function keep(
  { askedCorrections, now }: Deps,
  { administrator: by, key }: Asking,
  { agentId, currency, amount }: CorrectionDraft,
): Promise<void> {
  const known = await askedCorrections.get(key)
  // A key belongs to the administrator who used it first, and is used up once its correction is approved. The caller throws
  // the same error whether the request was kept or not.
  const isTaken = known && (known.by !== by || known.isApproved)
  if (isTaken && known.expiresAtSeconds * 1000 > now().getTime()) return
  const expiresAtSeconds = unixSeconds(now()) + ASKED_SECONDS
  const asked = { by, agentId, currency, amount, isApproved: false, expiresAtSeconds }
  await askedCorrections.put(key, known, asked).catch((error: unknown) => {
    // It was approved since it was read, or another administrator has used the key.
    if (!(error instanceof WriteConflict)) throw error
  })
}

/** Whether a second request is of the same correction as the first. Their notes may differ. */
const isSame = (asked: AskedCorrection, draft: CorrectionDraft): boolean =>
  asked.agentId === draft.agentId && asked.currency === draft.currency && asked.amount === draft.amount

async function book(
  deps: Deps,
  { administrator: by }: Asking,
  { agentId, currency, amount, note }: CorrectionDraft,
  approval: Write[],
): Promise<EntryView> {
  const at = timestamp(deps.now())
  const transaction: LedgerTransaction = {
    id: deps.newId('transaction'),
    at,
    reason: `correction: ${note}`,
    paymentId: null,
    payoutId: null,
    currency,
    lines: [
      { account: agentAccount(agentId), amount: -amount },
      { account: PLATFORM, amount },
    ],
  }
  const entry: NewEntry = {
    id: transaction.id,
    type: 'correction',
    amount,
    paymentId: null,
    payoutId: null,
    listingId: null,
  }
  const seen = await deps.agentAccounts.get(agentId, currency)
  if (seen.isClosed) throw new DomainError('not_found')
  const balance = Number(seen.balance + BigInt(amount))
  if (!Number.isSafeInteger(balance)) {
    throw invalidField('amount', 'must leave a balance of less than 2^53 minor units')
  }
  // The view shows a listing in place of its id; a correction has none.
  const { listingId: _, ...shown } = entry
  const view: EntryView = {
    ...shown,
    // The times of a statement never go back.
    at: seen.at !== null && seen.at > at ? seen.at : at,
    balance,
    listing: null,
  }
  const action = { by, subject: agentId, action: 'ledger.corrected' as const }
  const details = { currency, amount, transaction: transaction.id }
  await deps.books.commit([
    ...deps.once.receipt(view),
    ...approval,
    ...deps.agentAccounts.change(seen, { entries: [entry] }, at),
    ...deps.books.book([{ key: correctionKey(transaction.id), transaction }]),
    deps.journal.record(newAction(deps.newId, { ...action, details })),
  ])
  return view
}
