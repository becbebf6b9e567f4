import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { Directory } from '#lib/accounts/directory'
import { currentStatus, KycReason, KycStatus } from '#lib/accounts/kyc-state'
import { type ClaimStore, claimedBy } from '#lib/claims/claim'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { UserId } from '#lib/kernel/id'
import { answerPage, PageQuery } from '#lib/kernel/page'

/** Which people to show: those who wait for a decision, unless a status is asked for. */
export const ReviewQuery = PageQuery.extend({
  status: KycStatus.optional(),
  awaitingReview: z.enum(['true', 'false']).optional(),
})

/** A person in the queue, with the facts by which an administrator chooses the next one. */
export const ReviewItem = z
  .object({
    userId: UserId,
    name: z.string().nullable(),
    email: z.string(),
    isAgent: z.boolean(),
    kycStatus: KycStatus,
    reasons: z.array(KycReason),
    documentCount: z.int(),
    waitingSince: Timestamp.nullable(),
    decidedAt: Timestamp.nullable(),
    createdAt: Timestamp,
    claimedBy: z.string().nullable().meta({ description: 'The administrator who is at it' }),
  })
  .meta({ id: 'KycReviewItem' })

type Deps = { directory: Directory; claims: ClaimStore; cursors: Cursors; now: Clock }

/**
 * The people who wait for a decision, who has waited longest first. With `status` the people of that status,
 * with both who waits among them; with `awaitingReview=false` alone everyone, oldest first. Those who do not
 * wait come by the time of their last decision.
 */
export async function listReviews(deps: Deps, query: z.infer<typeof ReviewQuery>) {
  const { directory, cursors, now } = deps
  const { limit, cursor, status } = query
  const isWaiting = (query.awaitingReview ?? String(status === undefined)) === 'true'
  const filters = { status, isWaiting }
  const list = isWaiting ? 'WAITING' : (status ?? 'ALL')
  return answerPage(
    cursors,
    { list: 'kyc-reviews', filters, position: z.string() },
    cursor,
    async (after) => {
      const { items, next } = await directory.page({ list, limit, after })
      const claims = await claimedBy(
        deps,
        items.map(({ id }) => id),
      )
      const people = items.map((account) => ({
        ...reviewItem(account, now()),
        claimedBy: claims.get(account.id) ?? null,
      }))
      return { items: people.filter(({ kycStatus }) => status === undefined || kycStatus === status), next }
    },
  )
}

const reviewItem = ({ id, kyc, agent, ...account }: Account, now: Date) => ({
  ...kyc,
  ...account,
  userId: id,
  isAgent: agent !== null,
  kycStatus: currentStatus(kyc, now),
  documentCount: kyc.documents,
})
