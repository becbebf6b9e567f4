import * as z from 'zod'
import { AgentProfile } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { AdministeredUser, administeredUser } from '#lib/accounts/administered-user'
import { currentStatus, KycState } from '#lib/accounts/kyc-state'
import { type Journal, newAction } from '#lib/journal/journal'
import { type Clock, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import type { ConsoleRole } from '#lib/kernel/console-role'
import { DomainError } from '#lib/kernel/domain-error'
import { type NewId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Versioned } from '#lib/kernel/version'
import { type KycDocument, KycDocumentView } from './document.ts'
import { type DocumentLinks, LINK_SECONDS } from './document-files.ts'
import { type KycStore, RecordedDecision } from './kyc-store.ts'
import { reviewVersion } from './review-version.ts'

const LinkedDocument = KycDocumentView.extend({
  url: z.string().nullable().meta({
    description: 'Null for an auditor',
    example: 'https://documents.example.com/doc_01KAH3M6XQ8ZJ4T2V7W9C5RBND?X-Amz-Signature=…',
  }),
  urlExpiresAt: Timestamp.nullable().meta({ example: '2026-11-02T09:19:31.207Z' }),
}).meta({ id: 'KycReviewDocument' })

/** An earlier decision about a person, as administrators see it. */
export const PastDecision = RecordedDecision.omit({ decisionCount: true, status: true })
  .extend({ kycStatus: KycState.shape.status })
  .meta({ id: 'KycPastDecision' })

/** Shows a decision as it was recorded. */
export const viewPastDecision = ({
  status,
  ...decision
}: RecordedDecision): z.input<typeof PastDecision> => ({
  ...decision,
  kycStatus: status,
})

/** Everything that an administrator decides by. */
export const ReviewView = z
  .object({
    userId: UserId,
    kycStatus: KycState.shape.status,
    ...KycState.pick({ reasons: true, message: true, note: true, expiresAt: true, waitingSince: true }).shape,
    user: AdministeredUser,
    agent: AgentProfile.nullable(),
    documents: z.array(LinkedDocument),
    decisions: z.array(PastDecision).meta({ description: 'Newest first' }),
  })
  .meta({ id: 'KycReview' })

type Deps = {
  accounts: AccountReader
  kycStore: KycStore
  links: DocumentLinks
  journal: Journal
  now: Clock
  newId: NewId
}

/** Who reads a review. Links to documents are for those who decide about identities. */
type Reader = { subject: string; roles: readonly ConsoleRole[] }

/**
 * Returns a person, what they have handed in, and everything decided about them, with the version that a decision can
 * be made conditional on. Every link given out is recorded, with who asked and when, before it is answered. Throws
 * `not_found`.
 */
export function getReview(
  deps: Deps,
  administrator: Reader,
  userId: UserId,
): Promise<Versioned<z.input<typeof ReviewView>>> {
  // A document that its owner withdraws meanwhile is a conflict, and the next attempt leaves it out.
  return retryConflicts(() => readReview(deps, administrator, userId))
}

async function readReview(deps: Deps, administrator: Reader, userId: UserId) {
  const { accounts, kycStore, now } = deps
  const account = await accounts.get(userId)
  if (!account) throw new DomainError('not_found', { detail: 'There is no such user' })
  const [documents, decisions] = await Promise.all([
    kycStore.listDocuments(userId),
    kycStore.listDecisions(userId),
  ])
  // The answer's schema drops every field that it does not name.
  const view: z.input<typeof ReviewView> = {
    ...account.kyc,
    userId,
    kycStatus: currentStatus(account.kyc, now()),
    user: administeredUser(account, now()),
    agent: account.agent,
    documents: await giveLinks(deps, administrator, userId, documents),
    decisions: decisions.map(viewPastDecision),
  }
  return { view, version: reviewVersion(account, documents) }
}

/** Records who read the review and which links were given out, before it is answered. */
async function giveLinks(
  { kycStore, links, journal, now, newId }: Deps,
  administrator: Reader,
  userId: UserId,
  documents: KycDocument[],
) {
  const by = administrator.subject
  const linked = administrator.roles.includes('identities') ? documents : []
  const at = now()
  const expiresAt = timestamp(secondsAfter(at, LINK_SECONDS))
  const urls = await Promise.all(linked.map(({ id }) => links.linkTo(userId, id)))
  const details = { documentIds: linked.map(({ id }) => id) }
  const record = { id: newId('documentLinks'), ...details, givenTo: by, at: timestamp(at), expiresAt }
  const action = { by, subject: userId, action: 'kyc.viewed', details } as const
  await kycStore.commit([
    journal.record(newAction(newId, action)),
    ...(linked.length > 0 ? kycStore.recordLinks(userId, record, linked) : []),
  ])
  return documents.map((document, index) => {
    const url = urls[index] ?? null
    return { ...document, url, urlExpiresAt: url === null ? null : expiresAt }
  })
}
