import { user } from '#lib/accounts/access'
import { apiKeys, limitApiKeyToAgentSide } from '#lib/accounts/api-keys/access'
import { agentOf } from '#lib/enquiries/enquiry'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { markRead, ReadMark } from '#lib/enquiries/mark-read'
import { endpoint } from '#lib/http/endpoint'
import { EnquiryId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'POST /enquiries/{id}/read',
  summary: 'Mark messages as read',
  description: 'The message `upTo` and everything before it. The mark never moves back.',
  access: user,
  apiKeys: apiKeys('enquiries:write'),
  input: { params: { id: EnquiryId }, body: ReadMark },
  output: { 204: null },
  deps: { enquiries },
  run: ({ actor, params, body }, deps) =>
    markRead(
      { ...deps, enquiries: limitApiKeyToAgentSide(actor, deps.enquiries, agentOf) },
      actor.userId,
      params.id,
      body,
    ),
})
