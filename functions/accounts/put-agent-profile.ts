import { user } from '#lib/accounts/access'
import { accounts } from '#lib/accounts/account-store.dynamo'
import { AgentProfileInput, AgentProfileView, putAgentProfile } from '#lib/accounts/agent-profile'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'PUT /auth/profile/agent',
  summary: "Set the caller's agent profile",
  description:
    'The first profile makes the caller an agent at once. Omitted fields are cleared. ' +
    'The first profile of a VERIFIED user waits for review and is not public until a decision. A name, agency or licence ' +
    'that is verified or under review cannot change.',
  access: user,
  input: { body: AgentProfileInput },
  output: { 200: AgentProfileView, 201: AgentProfileView },
  problems: ['identity_verified', 'in_review'],
  deps: { accounts, now: clock },
  run: async ({ actor, body }, deps) => {
    const { isNew, profile } = await putAgentProfile(deps, actor.account, body)
    return { status: isNew ? 201 : 200, body: profile }
  },
})
