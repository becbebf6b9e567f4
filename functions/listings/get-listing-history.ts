import * as z from 'zod'
import { userOrAdministrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { apiKeys } from '#lib/accounts/api-keys/access'
import { endpoint } from '#lib/http/endpoint'
import { clock } from '#lib/http/runtime'
import { ListingId } from '#lib/kernel/id'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { getHistory, ListingMoveView } from '#lib/listings/views/get-history'

export const { spec, handler } = endpoint({
  route: 'GET /listings/{id}/history',
  summary: 'Every move of a listing, oldest first',
  description:
    'Each with its time, reason and author. The owner sees neither which administrator decided nor their notes: for the ' +
    'owner, `by` is their own id, `system` or `administrator`.',
  access: userOrAdministrator(['moderation']),
  apiKeys: apiKeys('listings:read'),
  input: { params: { id: ListingId } },
  output: { 200: z.object({ items: z.array(ListingMoveView) }) },
  problems: ['forbidden'],
  deps: { listings: listingReader, accounts: accountReader, now: clock },
  run: ({ actor, params }, deps) => getHistory(deps, actor, params.id),
})
