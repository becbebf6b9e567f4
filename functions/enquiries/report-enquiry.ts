import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys, limitApiKeyToAgentSide } from '#lib/accounts/api-keys/access'
import { quotas } from '#lib/dynamo/quotas'
import { agentOf } from '#lib/enquiries/enquiry'
import { enquiries } from '#lib/enquiries/enquiry-store.dynamo'
import { NewEnquiryReport, reportEnquiry } from '#lib/enquiries/report-enquiry'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { EnquiryId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'POST /enquiries/{id}/reports',
  summary: 'Report the other side of an enquiry',
  description:
    'Administrators may read the enquiry from then on. While a report of the caller is open, another one changes nothing. ' +
    'At most 10 reports in a clock hour.',
  access: user,
  apiKeys: apiKeys('enquiries:write'),
  input: { params: { id: EnquiryId }, body: NewEnquiryReport },
  output: { 202: null },
  problems: ['too_many_requests'],
  deps: { enquiries, accounts: accountReader, quotas, now: clock, newId: ids },
  run: ({ actor, params, body }, deps) =>
    reportEnquiry(
      { ...deps, enquiries: limitApiKeyToAgentSide(actor, deps.enquiries, agentOf) },
      actor.account,
      params.id,
      body,
    ),
})
