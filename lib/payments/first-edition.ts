import * as z from 'zod'

const BegunRefunds = z.object({
  attempts: z.undefined(),
  facts: z.array(
    z.object({ kind: z.string(), id: z.string(), at: z.string(), refundId: z.string().nullish() }),
  ),
})

/**
 * A payment that the first edition stored, with an attempt for each refund that it began. Whether the provider was
 * called is not written there: where no answer was stored, the attempt is `unknown`, so that the payment is read and
 * the refund never asked for again.
 */
export function withAttempts(item: unknown): unknown {
  const stored = BegunRefunds.safeParse(item)
  if (!stored.success) return item
  const refunds = stored.data.facts.filter(({ kind, refundId }) => kind === 'refund' && refundId != null)
  const attempts = refunds
    .filter(({ id, refundId }) => id === refundId)
    .map(({ id, at }) => {
      const isAnswered = refunds.some((fact) => fact.refundId === id && fact.id !== id)
      const state = isAnswered ? 'answered' : 'unknown'
      return [id, { state, number: 1, at, isReadable: true, misses: 0, resolvedAfter: null }]
    })
  return { ...Object(item), attempts: Object.fromEntries(attempts) }
}
