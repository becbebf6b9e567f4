import * as z from 'zod'
import { type Clock, MINUTE_SECONDS, secondsAfter, Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { CallbackId, EnquiryId, ListingId, PaymentId, PayoutId, UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import type { Commit, Write } from '#lib/kernel/write'

const CLAIM_SECONDS = 10 * MINUTE_SECONDS

/** The subjects that administrators claim. Whether the subject exists is not checked. */
export const ClaimSubject = z.union([UserId, ListingId, PaymentId, EnquiryId, CallbackId, PayoutId])

/** The administrator who works on a subject, and the time at which the claim ends. */
export const Claim = z
  .object({
    subject: z.string().meta({ example: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND' }),
    by: z.string().meta({ example: 'adm-7f3a' }),
    until: Timestamp,
  })
  .meta({ id: 'Claim' })
export type Claim = z.infer<typeof Claim>

/** Stores claims. Reads are consistent. */
export type ClaimStore = {
  /** Claims of these subjects that have not run out. */
  of: (subjects: readonly string[], now: Date) => Promise<Claim[]>
  /** Replaces the claim that was read, if it is unchanged; without one, requires that no claim holds at `now`. */
  put: (seen: Claim | undefined, next: Claim, now: Date) => Write
  /** Removes a claim, if it is unchanged. */
  remove: (seen: Claim) => Write
  commit: Commit
}

type Deps = { claims: ClaimStore; now: Clock }

/**
 * Claims a subject for ten minutes, or prolongs the caller's own claim. A claim prevents nothing: it shows two people
 * that they work on the same subject. Throws `already_claimed` with `by` and `until`.
 */
export const claimSubject = ({ claims, now }: Deps, by: string, subject: string): Promise<Claim> =>
  retryConflicts(async () => {
    const at = now()
    const [seen] = await claims.of([subject], at)
    refuseAnothers(seen, by)
    const next: Claim = { subject, by, until: timestamp(secondsAfter(at, CLAIM_SECONDS)) }
    await claims.commit([claims.put(seen, next, at)])
    return next
  })

/** Releases the caller's own claim; succeeds without one, too. Throws `already_claimed` for another's. */
export const releaseClaim = ({ claims, now }: Deps, by: string, subject: string): Promise<void> =>
  retryConflicts(async () => {
    const [seen] = await claims.of([subject], now())
    refuseAnothers(seen, by)
    if (seen) await claims.commit([claims.remove(seen)])
  })

/** Returns the holders of claims on these subjects; a subject without a claim is left out. */
export async function claimedBy(
  { claims, now }: { claims: ClaimReader; now: Clock },
  subjects: readonly string[],
): Promise<Map<string, string>> {
  const found = await claims.of(subjects, now())
  return new Map(found.map(({ subject, by }) => [subject, by]))
}

function refuseAnothers(claim: Claim | undefined, by: string): void {
  if (claim === undefined || claim.by === by) return
  const { until } = claim
  throw new DomainError('already_claimed', {
    detail: `${claim.by} is at it until ${until}`,
    extensions: { by: claim.by, until },
  })
}

export type ClaimReader = Pick<ClaimStore, 'of'>
