import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, PaymentId, SessionId, UserId } from '#lib/kernel/id'
import { Currency, type Money } from '#lib/kernel/money'
import type { KycRecords } from '#lib/kyc/kyc-records'
import type { ListingStore } from '#lib/listings/listing-store'
import { Purpose } from '#lib/payments/payment'
import { receiptNumberOf } from '#lib/payments/receipt-number'
import type { Matter } from './matter.ts'
import type { Notice } from './notice.ts'
import type { NoticeName } from './words/words.ts'
import { noticeWordsIn } from './words/words-in.ts'

/** Where the names and reasons are that notices hold ids of. */
export type LookUpDeps = {
  accounts: Pick<AccountStore, 'getMany'>
  listings: Pick<ListingStore, 'getMany' | 'move' | 'moves'>
  records: Pick<KycRecords, 'decisions'>
}

/** What events say that words name. What is missing or of another shape is not said. */
const Facts = z.object({
  listingId: ListingId.optional().catch(undefined),
  userId: UserId.optional().catch(undefined),
  agentId: UserId.optional().catch(undefined),
  customerId: UserId.optional().catch(undefined),
  paymentId: PaymentId.optional().catch(undefined),
  sessionId: SessionId.optional().catch(undefined),
  amount: z.int().optional().catch(undefined),
  refundAmount: z.int().optional().catch(undefined),
  currency: Currency.optional().catch(undefined),
  purpose: Purpose.optional().catch(undefined),
  expiresAt: Timestamp.optional().catch(undefined),
  visitAt: Timestamp.optional().catch(undefined),
})
type Facts = z.infer<typeof Facts>

/** A notice whose words can be made, and all that they are made of. */
export type Readable = { notice: Notice; matter: Matter }

/**
 * Reads the names, titles, reasons and messages of a person's notices as they are now: one batch of accounts, one of
 * listings, and the decisions. A notice that only another version of the service can word is left out.
 */
export async function lookUp(deps: LookUpDeps, notices: readonly Notice[]): Promise<Readable[]> {
  const known = notices.flatMap((notice) => {
    const name = noticeName(notice.name)
    return name ? [{ name, notice, facts: factsOf(notice) }] : []
  })
  const [people, titles] = await Promise.all([
    namesOf(
      deps,
      known.flatMap(({ notice, facts }) => otherIn(facts, notice.userId) ?? []),
    ),
    titlesOf(
      deps,
      known.flatMap(({ facts }) => facts.listingId ?? []),
    ),
  ])
  return Promise.all(
    known.map(async ({ name, notice, facts }): Promise<Readable> => {
      const other = otherIn(facts, notice.userId)
      const matter: Matter = {
        name,
        at: notice.event.at,
        person: (other && people(other, facts)) ?? null,
        listing: (facts.listingId && titles.get(facts.listingId)) ?? null,
        money: moneyOf(facts),
        purpose: facts.purpose ?? null,
        receipt: facts.paymentId ? receiptNumberOf(facts.paymentId) : null,
        until: facts.expiresAt ?? null,
        visit: facts.visitAt ?? null,
        dueAt: null,
        browser: null,
        network: null,
        ...(await decisionOf(deps, notice)),
      }
      return { notice, matter }
    }),
  )
}

/** The ids, sums and codes of a notice. */
export function factsOf({ event: { subject, data } }: Notice): Facts {
  const facts = Facts.parse(data)
  const listing = ListingId.safeParse(subject).data
  const payment = PaymentId.safeParse(subject).data
  return { ...facts, ...(listing && { listingId: listing }), ...(payment && { paymentId: payment }) }
}

const noticeName = (name: string): NoticeName | undefined => {
  const names: object = noticeWordsIn('en')
  return isNameOf(names, name) ? name : undefined
}

const isNameOf = (names: object, name: string): name is NoticeName => Object.hasOwn(names, name)

/** The other person of an event, as its reader sees it. */
const otherIn = ({ customerId, userId, agentId }: Facts, reader: UserId): UserId | undefined =>
  [customerId, userId, agentId].find((id) => id !== undefined && id !== reader)

const moneyOf = ({ refundAmount, amount = refundAmount, currency }: Facts): Money | null =>
  amount === undefined || currency === undefined ? null : { amount: refundAmount ?? amount, currency }

/** Names of people who are there: an agent goes by the display name. */
async function namesOf({ accounts }: LookUpDeps, ids: readonly UserId[]) {
  const found = ids.length > 0 ? await accounts.getMany([...new Set(ids)]) : []
  const byId = new Map(
    found.filter(({ status }) => status === 'ACTIVE').map((account) => [account.id, account]),
  )
  return (id: UserId, { agentId }: Facts): string | null => {
    const account: Account | undefined = byId.get(id)
    return (id === agentId ? account?.agent?.displayName : undefined) ?? account?.name ?? null
  }
}

async function titlesOf(
  { listings }: LookUpDeps,
  ids: readonly ListingId[],
): Promise<Map<ListingId, string | null>> {
  const found = ids.length > 0 ? await listings.getMany([...new Set(ids)]) : []
  return new Map(found.map(({ id, title }) => [id, title]))
}

/** Why something was decided, and what was said to the person, as the record of the decision has it. */
async function decisionOf(
  { records, listings }: LookUpDeps,
  { userId, event }: Notice,
): Promise<Pick<Matter, 'reasons' | 'message'>> {
  const listing = ListingId.safeParse(event.subject).data
  if (event.type === 'kyc.status_changed') {
    const decision = (await records.decisions(userId)).find(({ id }) => id === event.id)
    return { reasons: decision?.reasons ?? [], message: decision?.message ?? null }
  }
  if (listing && ['listing.status_changed', 'revision.decided'].includes(event.type)) {
    // A revision's decision is an entry of the history of the same moment, without the event's id.
    const move =
      (await listings.move(listing, event.id)) ??
      (await listings.moves(listing)).find(({ at }) => at === event.at)
    return { reasons: move?.reasons ?? [], message: move?.message ?? null }
  }
  return { reasons: [], message: null }
}
