import { administrator, EVERY_ROLE } from '#lib/accounts/access'
import { ClaimSubject, releaseClaim } from '#lib/claims/claim'
import { claims } from '#lib/claims/claim-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'DELETE /admin/claims/{subject}',
  summary: 'Release a claim of the caller',
  description: 'Answers 204 also if there is no claim, or only an expired one.',
  access: administrator(EVERY_ROLE),
  input: { params: { subject: ClaimSubject } },
  output: { 204: null },
  problems: ['already_claimed'],
  deps: { claims, now: clock },
  run: ({ actor, params }, deps) => releaseClaim(deps, actor.subject, params.subject),
})
