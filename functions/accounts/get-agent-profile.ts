import { user } from '#lib/accounts/access'
import { AgentProfileView, getAgentProfile } from '#lib/accounts/agent-profile'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile/agent',
  summary: "The caller's agent profile",
  description:
    'Before the first `PUT` it is a 404 `agent_profile_not_found`. `kycStatus` is that of the person.',
  access: user,
  apiKeys: apiKeys('listings:read'),
  output: { 200: AgentProfileView },
  problems: ['agent_profile_not_found'],
  deps: { now: clock },
  run: ({ actor }, { now }) => getAgentProfile(actor.account, now),
})
