import type { Dependency } from '#lib/config'
import { DomainError } from '#lib/kernel/domain-error'
import type { Idempotency, IdempotencyStore, RecordDeps } from './idempotency.ts'
import { depsOf, findLive, recordOf, replayOf, retrySoon } from './record.ts'

/**
 * Records the key with the change itself, in one transaction. The first success answers every repetition within 24
 * hours. One of two simultaneous requests is committed, and both receive its answer.
 */
export const recordedIn = (store: Dependency<IdempotencyStore>): Idempotency<null> => ({
  reserves: null,
  isDemanded: false,
  deps: depsOf(store),
  around: async (sent, deps: RecordDeps, run) => {
    if (sent.key === undefined) return run({ receipt: () => [] })
    const exchange = { ...sent, key: sent.key, deps }
    const lookup = async () => replayOf(exchange, await findLive(exchange))
    const earlier = await lookup()
    if (earlier) return earlier
    try {
      return await run({
        receipt: (outcome: unknown) => [recordOf(exchange, { answer: exchange.encode(outcome) }, keyTaken)],
      })
    } catch (error) {
      // A simultaneous request with the key may have been the reason for a refusal, such as of a second payout.
      const winner = await lookup()
      if (winner) return winner
      if (!(error instanceof KeyTaken)) throw error
      // The record that took the key is gone, or has no answer: the caller may ask again.
      throw new DomainError('idempotency_in_progress', retrySoon)
    }
  },
})

/** Another request has recorded its answer under the key since this one looked. */
class KeyTaken extends Error {}
const keyTaken = () => new KeyTaken()

/** Records keys as `recordedIn` does, and refuses a request without a key. */
export const demandedIn = (store: Dependency<IdempotencyStore>): Idempotency<null> => ({
  ...recordedIn(store),
  isDemanded: true,
})
