import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountReader } from '#lib/accounts/account-store'
import { Timestamp } from '#lib/kernel/clock'
import { ListingId, PaymentId, SavedSearchId, SessionId, UserId } from '#lib/kernel/id'
import { Currency, Money } from '#lib/kernel/money'
import type { KycReader } from '#lib/kyc/kyc-store'
import type { ListingReader } from '#lib/listings/listing-store'
import { payerNameOf } from '#lib/payments/payer'
import { receiptNumberOf } from '#lib/payments/receipt-number'
import { Purpose } from '#lib/payments/state/payment'
import type { SavedSearchReader } from '#lib/saved-searches/saved-search'
import type { Notification } from './notification.ts'
import type { NotificationFacts } from './notification-facts.ts'
import { isNotificationName } from './recipients.ts'

/** The stores of names and reasons. A notification holds only their ids. */
export type LookUpFactsDeps = {
  accounts: AccountReader
  listings: ListingReader
  searches: SavedSearchReader
  kycStore: KycReader
}

/** The data of events that words are made of; what is missing or of another shape is left out. */
const EventFacts = z.object({
  listingId: ListingId.optional().catch(undefined),
  userId: UserId.optional().catch(undefined),
  agentId: UserId.optional().catch(undefined),
  customerId: UserId.optional().catch(undefined),
  paymentId: PaymentId.optional().catch(undefined),
  sessionId: SessionId.optional().catch(undefined),
  amount: z.int().optional().catch(undefined),
  refundAmount: z.int().optional().catch(undefined),
  refundCurrency: Currency.optional().catch(undefined),
  currency: Currency.optional().catch(undefined),
  purpose: Purpose.optional().catch(undefined),
  expiresAt: Timestamp.optional().catch(undefined),
  dueAt: Timestamp.optional().catch(undefined),
  visitAt: Timestamp.optional().catch(undefined),
  /** The price before and after a reduction. In other events these are no money, and are left out. */
  from: Money.optional().catch(undefined),
  to: Money.optional().catch(undefined),
  count: z.int().optional().catch(undefined),
  apiKeysEnded: z.int().optional().catch(undefined),
  listingIds: z.array(ListingId).catch([]),
})
type EventFacts = z.infer<typeof EventFacts>

/** A notification with the facts that its words are made of. */
export type Readable = { notification: Notification; facts: NotificationFacts }

/**
 * Reads the present names, titles, reasons and messages of notifications: one batch of accounts, one of listings, and the
 * decisions. A notification that only another version of the service knows is left out.
 */
export async function lookUpFacts(
  deps: LookUpFactsDeps,
  notifications: readonly Notification[],
): Promise<Readable[]> {
  const known = notifications.flatMap((notification) => {
    const { name } = notification
    if (!isNotificationName(name)) return []
    const data = eventData(notification)
    return [{ name, notification, data, other: otherIn(data, notification.userId) }]
  })
  const [nameOf, titles] = await Promise.all([
    namesOf(
      deps,
      known.flatMap(({ other }) => other ?? []),
    ),
    titlesOf(
      deps,
      known.flatMap(({ data }) => [...(data.listingId ? [data.listingId] : []), ...data.listingIds]),
    ),
  ])
  return Promise.all(
    known.map(async ({ name, notification, data, other }): Promise<Readable> => {
      const facts: NotificationFacts = {
        name,
        at: notification.event.at,
        person: (other && nameOf(other, data)) ?? null,
        listing: (data.listingId && titles.get(data.listingId)) ?? null,
        money: data.to ?? moneyOf(data),
        priceBefore: data.from ?? null,
        search: await searchOf(deps, notification),
        // A reset of a password counts the API keys that it ended.
        count: data.count ?? data.apiKeysEnded ?? null,
        found: data.listingIds.flatMap((id) => foundIn(titles, id)),
        purpose: data.purpose ?? null,
        receipt: data.paymentId ? receiptNumberOf(data.paymentId) : null,
        until: data.expiresAt ?? data.dueAt ?? null,
        visitAt: data.visitAt ?? null,
        // Only in mails: `notificationMail` adds them.
        dueAt: null,
        browser: null,
        network: null,
        ...(await decisionOf(deps, notification)),
      }
      return { notification, facts }
    }),
  )
}

const foundIn = (titles: ReadonlyMap<ListingId, string | null>, id: ListingId) => {
  const title = titles.get(id)
  return title ? [{ id, title }] : []
}

/** Reads the name of the saved search that a notification is about. */
async function searchOf(
  { searches }: LookUpFactsDeps,
  { userId, event }: Notification,
): Promise<string | null> {
  const id = SavedSearchId.safeParse(event.subject).data
  const search = id && (await searches.get(userId, id))
  return search?.name ?? null
}

/** Returns the ids, sums and codes of a notification. */
export function eventData({ event: { subject, data } }: Notification): EventFacts {
  const facts = EventFacts.parse(data)
  const listing = ListingId.safeParse(subject).data
  const payment = PaymentId.safeParse(subject).data
  return { ...facts, ...(listing && { listingId: listing }), ...(payment && { paymentId: payment }) }
}

/** Returns the other person of an event, as seen by the reader. */
const otherIn = ({ customerId, userId, agentId }: EventFacts, reader: UserId): UserId | undefined =>
  [customerId, userId, agentId].find((id) => id !== undefined && id !== reader)

/** Returns the amount of a refund, else of the payment. A refund may be of a charge in another currency than its payment. */
function moneyOf({ refundAmount, refundCurrency, amount, currency: own }: EventFacts): Money | null {
  const [sum, currency] = refundAmount === undefined ? [amount, own] : [refundAmount, refundCurrency ?? own]
  return sum === undefined || currency === undefined ? null : { amount: sum, currency }
}

/** Reads the names of active accounts; an agent goes by the display name. */
async function namesOf({ accounts }: LookUpFactsDeps, ids: readonly UserId[]) {
  const found = ids.length > 0 ? await accounts.getMany([...new Set(ids)]) : []
  const byId = new Map(
    found.filter(({ status }) => status === 'ACTIVE').map((account) => [account.id, account]),
  )
  return (id: UserId, { agentId, userId, paymentId }: EventFacts): string | null => {
    const account: Account | undefined = byId.get(id)
    if (id === userId && paymentId) return payerNameOf(account, { id: paymentId, userId })
    return (id === agentId ? account?.agent?.displayName : undefined) ?? account?.name ?? null
  }
}

async function titlesOf(
  { listings }: LookUpFactsDeps,
  ids: readonly ListingId[],
): Promise<Map<ListingId, string | null>> {
  const found = ids.length > 0 ? await listings.getMany([...new Set(ids)]) : []
  return new Map(found.map(({ id, title }) => [id, title]))
}

/**
 * Reads the reasons and the message of the decision that the event announced, and when the verification expires that it
 * gave.
 */
async function decisionOf(
  { kycStore, listings }: LookUpFactsDeps,
  { userId, event }: Notification,
): Promise<Pick<NotificationFacts, 'reasons' | 'message'> & Partial<Pick<NotificationFacts, 'until'>>> {
  const listing = ListingId.safeParse(event.subject).data
  if (event.type === 'kyc.status_changed') {
    const decision = (await kycStore.listDecisions(userId)).find(({ id }) => id === event.id)
    return {
      reasons: decision?.reasons ?? [],
      message: decision?.message ?? null,
      until: decision?.expiresAt ?? null,
    }
  }
  if (listing && ['listing.status_changed', 'revision.decided'].includes(event.type)) {
    // The history entry of a revision's decision has the event's time, not its id.
    const move =
      (await listings.move(listing, event.id)) ??
      (await listings.moves(listing)).find(({ at }) => at === event.at)
    return { reasons: move?.reasons ?? [], message: move?.message ?? null }
  }
  return { reasons: [], message: null }
}
