import type { Dependency } from '#lib/config/config'
import { asDomainError } from '#lib/http/fault'
import { PROBLEMS } from '#lib/http/problems'
import type { EncodedAnswer } from '#lib/http/reply'
import { DomainError } from '#lib/kernel/domain-error'
import type { IdKind } from '#lib/kernel/id'
import type { Idempotency, IdempotencyRecord, IdempotencyStore, RecordDeps } from './idempotency.ts'
import { depsOf, findLive, type Recorded, recordOf, replayOf, retrySoon } from './record.ts'

/** A claim older than this is of a function that has died. A repetition of the request may take it over. */
const CLAIM_SECONDS = 60

/** The time of a claim whose request failed, so old that the next request takes it over at once. */
const FREE_AT_ONCE = 0

/**
 * Claims the key of a request, and an id of `kind`, before `run`: for endpoints that call a provider, which demand a key.
 * Meanwhile another request with the key gets `idempotency_in_progress`. A refusal removes the claim. After a failure of
 * ours or of the provider the next request takes the claim over, with its id; after a function that died, 60 s later.
 */
export const claimedIn =
  (store: Dependency<IdempotencyStore>) =>
  <const Kind extends IdKind>(kind: Kind): Idempotency<Kind> => ({
    reserves: kind,
    isDemanded: true,
    deps: depsOf(store),
    around: async (sent, deps: RecordDeps, run) => {
      const exchange = { ...sent, key: sent.key ?? '', deps }
      const claimed = await claimKey(exchange, kind)
      if (claimed.kind === 'replay') return claimed.answer
      const { reservedId, claimedAtMilliseconds, isResumed } = claimed
      try {
        return await run({
          id: reservedId,
          resumed: isResumed,
          receipt: (outcome: unknown) => [
            recordOf(exchange, { answer: exchange.encode(outcome), reservedId }),
          ],
        })
      } catch (error) {
        await endClaim(exchange, { reservedId, claimedAtMilliseconds }, error)
        throw error
      }
    },
  })

type Claim = { reservedId: string; claimedAtMilliseconds: number }

/** The request's own claim, or the answer that an earlier one with the key was given. */
type Claimed = (Claim & { kind: 'claim'; isResumed: boolean }) | { kind: 'replay'; answer: EncodedAnswer }

/** Claims a key. Most keys are new, so the record of a key is read only after its claim as a new one was refused. */
async function claimKey(exchange: Recorded, kind: IdKind): Promise<Claimed> {
  try {
    return { kind: 'claim', isResumed: false, ...(await takeClaim(exchange, undefined, kind)) }
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'idempotency_in_progress')) throw error
    const existing = await findLive(exchange)
    const answer = replayOf(exchange, existing)
    if (answer) return { kind: 'replay', answer }
    return {
      kind: 'claim',
      isResumed: existing !== undefined,
      ...(await takeClaim(exchange, existing, kind)),
    }
  }
}

async function takeClaim(
  exchange: Recorded,
  existing: IdempotencyRecord | undefined,
  kind: IdKind,
): Promise<Claim> {
  const { deps } = exchange
  const claimedAtMilliseconds = deps.now().getTime()
  const inProgress = () => new DomainError('idempotency_in_progress', retrySoon)
  const heldSince = existing?.claimedAtMilliseconds
  if (heldSince !== undefined && claimedAtMilliseconds - heldSince < CLAIM_SECONDS * 1000) throw inProgress()
  const reservedId = existing?.reservedId ?? deps.newId(kind)
  const write = recordOf(exchange, { answer: null, reservedId, claimedAtMilliseconds }, inProgress)
  // A claim is taken over only as it was read; a new one is refused where another request has claimed the key.
  const unchanged = { equals: { claimedAtMilliseconds: heldSince, reservedId } }
  await deps.idempotency.commit([existing ? { ...write, when: unchanged } : write])
  return { reservedId, claimedAtMilliseconds }
}

/** Ends a claim after an error: removes it after a refusal, and leaves it to the next request after a failure. */
async function endClaim(exchange: Recorded, claim: Claim, error: unknown): Promise<void> {
  const { deps, caller, key } = exchange
  const { code } = asDomainError(error)
  const [status] = PROBLEMS[code]
  // `run` throws `idempotency_in_progress` while another request is at work under the reserved id. The claim keeps that id:
  // under a new one a repetition would do the work twice.
  const isRefusal = status < 500 && code !== 'idempotency_in_progress'
  const when = {
    equals: { claimedAtMilliseconds: claim.claimedAtMilliseconds, reservedId: claim.reservedId },
  }
  const write = isRefusal
    ? deps.idempotency.remove(caller, key)
    : recordOf(exchange, { answer: null, reservedId: claim.reservedId, claimedAtMilliseconds: FREE_AT_ONCE })
  // A request that has taken the claim over keeps it. The caller receives the first error.
  await deps.idempotency.commit([{ ...write, when }]).catch(() => undefined)
}
