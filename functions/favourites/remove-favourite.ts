import { user } from '#lib/accounts/access'
import { favourites } from '#lib/favourites/favourite-store.dynamo'
import { removeFavourite } from '#lib/favourites/save-favourite'
import { endpoint } from '#lib/http/endpoint'
import { ListingId } from '#lib/kernel/id'

export const { spec, handler } = endpoint({
  route: 'DELETE /favourites/{listingId}',
  summary: 'Remove a listing from the favourites',
  description: 'The answer is 204 also for a listing that was not saved.',
  access: user,
  input: { params: { listingId: ListingId } },
  output: { 204: null },
  deps: { favourites },
  run: ({ actor, params }, deps) => removeFavourite(deps, actor.userId, params.listingId),
})
