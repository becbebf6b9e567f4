import type { Schema } from '../api/schemas.ts'

type Disputed = Pick<Schema<'PaymentInFull'>, 'charges' | 'currency'>

/** Returns the currency of a dispute: that of its charge, and of the payment where the dispute names no known charge. */
export const disputeCurrency = (
  { charges, currency }: Disputed,
  { chargeId }: Pick<Schema<'Dispute'>, 'chargeId'>,
): string => charges.find(({ id }) => id !== null && id === chargeId)?.currency ?? currency
