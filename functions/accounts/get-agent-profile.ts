import { accountStore } from '#lib/accounts/account-store.dynamo'
import { AgentProfileView, getAgentProfile } from '#lib/accounts/agent-profile'
import { user } from '#lib/http/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'

export const { spec, handler } = endpoint({
  route: 'GET /auth/profile/agent',
  summary: "The caller's agent profile",
  access: user,
  output: { 200: AgentProfileView },
  problems: ['agent_profile_not_found'],
  deps: { accounts: accountStore, now: clock },
  run: ({ actor }, { now }) => ({ status: 200, body: getAgentProfile(actor.account, now) }),
})
