import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys, limitApiKeyToAgentSide } from '#lib/accounts/api-keys/access'
import { recorded } from '#lib/dynamo/idempotency.dynamo'
import { quotas } from '#lib/dynamo/quotas'
import { agentOf, NewMessage } from '#lib/enquiries/enquiry'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { MessageView } from '#lib/enquiries/enquiry-view'
import { sendMessage } from '#lib/enquiries/send-message'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { EnquiryId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'POST /enquiries/{id}/messages',
  summary: 'Send a message in an enquiry',
  description:
    'For its customer and its agent. A message opens a CLOSED enquiry again: as OPEN, or as NEW if the agent never answered. ' +
    'A person may send 100 messages in a clock hour.',
  access: user,
  apiKeys: apiKeys('enquiries:write'),
  input: { params: { id: EnquiryId }, body: NewMessage },
  output: { 201: MessageView },
  problems: ['other_side_gone', 'too_many_requests'],
  idempotency: recorded,
  deps: { enquiries, accounts: accountReader, quotas, now: clock, newId: ids },
  run: ({ actor, params, body }, deps) =>
    sendMessage(
      { ...deps, enquiries: limitApiKeyToAgentSide(actor, deps.enquiries, agentOf) },
      actor.userId,
      params.id,
      body.text,
    ),
})
