import { administrator } from '#lib/accounts/access'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import { reportsAndClaims } from '#lib/administration/reports-and-claims'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { clock, ids } from '#lib/http/runtime'
import { journal } from '#lib/journal/journal.dynamo'
import { pageOf } from '#lib/kernel/page'
import { listingReader } from '#lib/listings/listing-reader.dynamo'
import { listQueue, QueuedListing, QueueQuery } from '#lib/listings/review/list-queue'
import { mediaLinks } from '#lib/media/store/media-links.s3'

export const { spec, handler } = endpoint({
  route: 'GET /admin/listings',
  summary: 'The moderation queue',
  description:
    'Listings in review, and live listings with a pending revision, longest waiting first. `revision.changes` holds ' +
    'what changed: fields, added `media`, and `captions`. Another `status` than `PENDING_REVIEW` lists the ' +
    'listings that have it; `agent` lists all of one agent, newest first. The journal records every reading.',
  access: administrator(['moderation']),
  input: { query: QueueQuery },
  output: { 200: pageOf(QueuedListing) },
  problems: ['invalid_cursor'],
  deps: {
    listings: listingReader,
    accounts: accountReader,
    links: mediaLinks,
    reportsAndClaims,
    cursors,
    journal,
    now: clock,
    newId: ids,
  },
  run: ({ actor, query }, deps) => listQueue(deps, actor.subject, query),
})
