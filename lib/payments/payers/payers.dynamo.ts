import { onTable } from '#lib/dynamo/table'
import type { ListingId } from '#lib/kernel/id'
import type { Payer } from '../payer.ts'

/** Reads whether a person has paid on a listing. Few requests need this, and only they load the code for it. */
export const payers = onTable(
  (table) => ({
    hasPaid: async (payer: Payer, listingId: ListingId): Promise<boolean> => {
      const [{ openUserPayments }, { hasPaid }] = await Promise.all([
        import('../user-payments.dynamo.ts'),
        import('./has-paid.ts'),
      ])
      return hasPaid(openUserPayments(table), payer, listingId)
    },
  }),
  { reads: ['PAYMENT', 'gsi1:USER'] },
)
