import { administrator, EVERY_ROLE } from '#lib/accounts/access'
import { ClaimSubject, releaseClaim } from '#lib/claims/claim'
import { claimStore } from '#lib/claims/claim-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'DELETE /admin/claims/{subject}',
  summary: 'Release one’s claim',
  description: 'None, or one that has run out, is released as well.',
  access: administrator(EVERY_ROLE),
  input: { params: { subject: ClaimSubject } },
  output: { 204: null },
  problems: ['already_claimed'],
  deps: { claims: claimStore, now: clock },
  run: ({ actor, params }, deps) => releaseClaim(deps, actor.subject, params.subject),
})
