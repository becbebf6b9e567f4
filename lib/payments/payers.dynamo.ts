import { onTable } from '#lib/dynamo/table'
import type { ListingId, UserId } from '#lib/kernel/id'

/** Reads whether a person has paid on a listing. Few requests need this, and only they load the code for it. */
export const payers = onTable(
  (table) => ({
    hasPaid: async (userId: UserId, listingId: ListingId): Promise<boolean> => {
      const [{ openUserPayments }, { hasPaid }] = await Promise.all([
        import('./user-payments.dynamo.ts'),
        import('./has-paid.ts'),
      ])
      return hasPaid(openUserPayments(table), userId, listingId)
    },
  }),
  { PAYMENT: ['get'], 'gsi1:USER': ['query'] },
)
