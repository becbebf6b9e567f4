import { administrator, EVERY_ROLE } from '#lib/accounts/access'
import { Claim, ClaimSubject, claimSubject } from '#lib/claims/claim'
import { claims } from '#lib/claims/claim-store.dynamo'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'PUT /admin/claims/{subject}',
  summary: 'Claim a subject for ten minutes',
  description:
    'A repeated call prolongs the claim. A claim locks nothing: it shows two people that they work at the same user, ' +
    'listing, payment, enquiry, callback or payout. Whether the subject exists is not checked.',
  access: administrator(EVERY_ROLE),
  input: { params: { subject: ClaimSubject } },
  output: { 200: Claim },
  problems: ['already_claimed'],
  deps: { claims, now: clock },
  run: ({ actor, params }, deps) => claimSubject(deps, actor.subject, params.subject),
})
