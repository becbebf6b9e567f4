/** The most basis points there are: the whole sum. */
export const BASIS_POINTS = 10_000

/**
 * Returns the commission on a sum, rounded half to even to the minor unit. Whole numbers throughout: a float would
 * blur sums beyond 2^53.
 */
export function commissionOn(amount: number, basisPoints: number): number {
  const [product, divisor] = [BigInt(amount) * BigInt(basisPoints), BigInt(BASIS_POINTS)]
  const [whole, rest] = [product / divisor, (product % divisor) * 2n]
  const roundsUp = rest > divisor || (rest === divisor && whole % 2n === 1n)
  return Number(roundsUp ? whole + 1n : whole)
}

/** The two shares of what is left of a charge: the agent's, and the platform's commission. */
export type Share = { agent: number; commission: number }

/**
 * Returns how what is left of a charge is shared, once `taken` of it was refunded or is under a dispute. The commission
 * gives back ⌊commission · taken / charge⌋ in all, so that the order of refunds does not matter and a whole refund
 * returns it whole.
 */
export function shareOf(charge: { amount: number; commission: number }, taken: number): Share {
  const returned = Number((BigInt(charge.commission) * BigInt(taken)) / BigInt(charge.amount))
  const commission = charge.commission - returned
  return { agent: charge.amount - taken - commission, commission }
}
