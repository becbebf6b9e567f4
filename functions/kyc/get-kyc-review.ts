import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { versioned } from '#lib/http/reply'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { UserId } from '#lib/kernel/id'
import { documentLinks } from '#lib/kyc/document-links.s3'
import { getReview, ReviewView } from '#lib/kyc/get-review'
import { kycStore } from '#lib/kyc/kyc-store.dynamo'

export const { spec, handler } = endpoint({
  route: 'GET /admin/kyc/{userId}',
  summary: 'A person, what they handed in and what was decided',
  description:
    'Each document comes with a link that lives five minutes. Every link given out is recorded, with who asked and ' +
    'when. Decisions come newest first. The `ETag` is for `If-Match` of a decision only: the links differ in every answer.',
  access: administrator(['identities']),
  input: { params: { userId: UserId } },
  output: { 200: versioned(ReviewView) },
  deps: { accounts: accountReader, kycStore, journal, links: documentLinks, now: clock, newId: ids },
  run: ({ actor, params }, deps) => getReview(deps, actor, params.userId),
})
