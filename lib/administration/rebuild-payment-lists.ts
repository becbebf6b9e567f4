import { PaymentId } from '#lib/kernel/id'
import type { Progress } from '#lib/kernel/progress'
import type { PaymentStore } from '#lib/payments/payment-store'
import { type RelistDeps, relistPayment } from '#lib/payments/upkeep/relist-payment'
import { idsOf, WALKED_PAGE, type Walked, walkLists } from './walk-lists.ts'

type Deps = RelistDeps & { payments: Pick<PaymentStore, 'list'>; progress: Progress }

/**
 * Lists the payments of the first edition again: by listing, by agent, and where they need someone. `changed` tells how
 * many lacked an entry. Run it until `isDone`. Safe to repeat, and beside the changes of the day.
 */
export const rebuildPaymentLists = (deps: Deps): Promise<Walked> =>
  walkLists(
    deps,
    'rebuild-payment-lists',
    [
      async (after) => {
        const position = PaymentId.optional().parse(after)
        const page = await deps.payments.list('ALL', { limit: WALKED_PAGE, after: position })
        return idsOf(page, ({ id }) => id)
      },
    ],
    (id) => relistPayment(deps, PaymentId.parse(id)),
  )
