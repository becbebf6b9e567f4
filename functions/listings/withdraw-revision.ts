import { user } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { quotas } from '#lib/dynamo/quotas'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listings } from '#lib/listings/listing-store.dynamo'
import { withdrawRevision } from '#lib/listings/moves/withdraw-revision'

export const { spec, handler } = endpoint({
  route: 'DELETE /listings/{id}/revision',
  summary: 'Take pending changes back',
  description:
    'Changed fields, added media and new captions are dropped. Without a revision the answer is 204, too. ' +
    'It counts in the limits of `PATCH /listings/{id}`. Honours `If-Match`.',
  access: user,
  apiKeys: apiKeys('listings:write'),
  input: { params: { id: ListingId } },
  output: { 204: null },
  problems: ['forbidden', 'too_many_requests'],
  honours: 'If-Match',
  deps: { listings, accounts: accountReader, quotas, now: clock, newId: ids },
  run: ({ actor, params, seenVersion }, deps) => withdrawRevision(deps, actor.userId, params.id, seenVersion),
})
