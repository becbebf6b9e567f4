import type { Dependency } from '#lib/config/config'
import type { EncodedAnswer } from '#lib/http/reply'
import { DomainError } from '#lib/kernel/domain-error'
import { type DataKeys, openUnder, sealUnder } from '#lib/kernel/sealed'
import type { Idempotency, IdempotencyStore, RecordDeps } from './idempotency.ts'
import { depsOf, findLive, recordOf, replayOf, retrySoon } from './record.ts'

/**
 * Records the key with the change itself, in one transaction. The first success answers every repetition within 24
 * hours. One of two simultaneous requests is committed, and both receive its answer. With `dataKeys` the stored answer is
 * encrypted: for answers that hold a secret.
 */
export const recordedIn = (
  store: Dependency<IdempotencyStore>,
  dataKeys?: Dependency<DataKeys>,
): Idempotency<null> => ({
  reserves: null,
  isDemanded: false,
  deps: { ...depsOf(store), ...(dataKeys && { dataKeys }) },
  around: async (sent, deps: RecordDeps & { dataKeys?: DataKeys }, run) => {
    if (sent.key === undefined) return run({ receipt: () => [] })
    const cover = await coverOf(deps.dataKeys, sent.caller)
    const encode = (outcome: unknown) => withBody(sent.encode(outcome), cover.seal)
    const exchange = { ...sent, encode, key: sent.key, deps }
    const lookup = async () => {
      const answer = replayOf(exchange, await findLive(exchange))
      return answer && withBody(answer, cover.open)
    }
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

/** How the body of a stored answer is written and read. */
type Cover = { seal: (body: string) => string; open: (stored: string) => string }

async function coverOf(dataKeys: DataKeys | undefined, caller: string): Promise<Cover> {
  if (!dataKeys) return { seal: (body) => body, open: (stored) => stored }
  const keys = await dataKeys()
  const [key] = keys
  if (key === undefined) throw new Error('DATA_KEYS holds no key')
  return {
    seal: (body) => sealUnder(key, caller, body),
    open: (stored) => {
      const body = openUnder(keys, caller, stored)
      if (body === undefined) throw new Error('DATA_KEYS no longer holds the key of a stored answer')
      return body
    },
  }
}

const withBody = (answer: EncodedAnswer, change: (body: string) => string): EncodedAnswer => ({
  ...answer,
  body: answer.body === null ? null : change(answer.body),
})

/** Another request has recorded its answer under the key since this one looked. */
class KeyTaken extends Error {}
const keyTaken = () => new KeyTaken()

/** Records keys as `recordedIn` does, and refuses a request without a key. */
export const demandedIn = (store: Dependency<IdempotencyStore>): Idempotency<null> => ({
  ...recordedIn(store),
  isDemanded: true,
})
