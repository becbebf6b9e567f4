import type { Directory } from '#lib/accounts/directory'
import type { Clock } from '#lib/kernel/clock'
import { kindOfId, type ListingId, PaymentId, UserId } from '#lib/kernel/id'
import { allPages } from '#lib/kernel/page'
import type { Progress } from '#lib/kernel/progress'
import type { Write } from '#lib/kernel/write'
import type { KycRecords } from '#lib/kyc/kyc-records'
import type { ListingStore } from '#lib/listings/listing-store'
import type { PaymentStore } from '#lib/payments/payment-store'
import type { References } from '#lib/payments/references/references'
import { idsOf, WALKED_PAGE, type Walked, walkLists } from '../walk-lists.ts'

type Deps = {
  directory: Directory
  records: Pick<KycRecords, 'documents' | 'nameDocument' | 'commit'>
  listings: Pick<ListingStore, 'byAgent' | 'nameMedia' | 'commit'>
  payments: Pick<PaymentStore, 'get' | 'list' | 'commit'>
  references: Pick<References, 'nameAgain'>
  progress: Progress
  now: Clock
}

/**
 * Lets the ids of documents, media, refunds and providers' references find what they belong to, for records that the first
 * edition of the service stored. Run it until `isDone`; `changed` counts the users and payments with such parts. Safe to
 * repeat.
 */
export const nameParts = (deps: Deps): Promise<Walked> =>
  walkLists(
    deps,
    'name-parts',
    [
      async (after) =>
        idsOf(await deps.directory.page({ list: 'ALL', limit: WALKED_PAGE, after }), ({ id }) => id),
      async (after) => {
        const position = PaymentId.optional().parse(after)
        return idsOf(await deps.payments.list('ALL', { limit: WALKED_PAGE, after: position }), ({ id }) => id)
      },
    ],
    (id) =>
      kindOfId(id) === 'payment' ? ofPayment(deps, PaymentId.parse(id)) : ofUser(deps, UserId.parse(id)),
  )

async function ofUser({ records, listings }: Deps, userId: UserId): Promise<boolean> {
  const documents = await records.documents(userId)
  const owned = await allPages((after: ListingId | undefined) =>
    listings.byAgent(userId, { limit: WALKED_PAGE, after }),
  )
  const media = owned.flatMap(({ id, media: items }) => items.map((item) => listings.nameMedia(id, item.id)))
  const writes = [...documents.map((document) => records.nameDocument(userId, document)), ...media]
  return writtenEach(records, writes)
}

async function ofPayment({ payments, references }: Deps, id: PaymentId): Promise<boolean> {
  const payment = await payments.get(id)
  return writtenEach(payments, payment ? references.nameAgain(payment) : [])
}

/** Carries out writes one by one. One whose record has gone meanwhile is left out. */
async function writtenEach(
  { commit }: Pick<KycRecords, 'commit'>,
  writes: readonly Write[],
): Promise<boolean> {
  for (const write of writes) await commit([{ ...write, otherwise: () => new Gone() }]).catch(unlessGone)
  return writes.length > 0
}

/** The record of a part has been removed since it was read. */
class Gone extends Error {}

function unlessGone(error: unknown): void {
  if (!(error instanceof Gone)) throw error
}
