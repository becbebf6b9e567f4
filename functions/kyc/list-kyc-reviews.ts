import { administrator } from '#lib/accounts/access'
import { userLists } from '#lib/accounts/user-lists.dynamo'
import { claimReader } from '#lib/claims/claim-store.dynamo'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { pageOf } from '#lib/kernel/page'
import { listReviews, ReviewItem, ReviewQuery } from '#lib/kyc/list-reviews'

export const { spec, handler } = endpoint({
  route: 'GET /admin/kyc',
  summary: 'Who waits for a decision',
  description:
    'Those who are PENDING or have a document newer than the last decision; who has waited longest comes first. The expiry ' +
    'of a verification is no decision on a document. `status` alone ' +
    'lists the people of that status whether they wait or not; `awaitingReview=true` narrows it to those who wait, ' +
    'and `awaitingReview=false` alone lists everyone. The journal records every reading.',
  access: administrator(['identities']),
  input: { query: ReviewQuery },
  output: { 200: pageOf(ReviewItem) },
  problems: ['invalid_cursor'],
  deps: { userLists, claims: claimReader, cursors, journal, now: clock, newId: ids },
  run: ({ actor, query }, deps) => listReviews(deps, actor.subject, query),
})
