import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { withoutDecided } from '../app/held.ts'
import { rememberOrder } from '../app/queue.ts'
import { linkTo, refine, route } from '../app/router.ts'
import { Select } from '../parts/form.tsx'
import { Picture } from '../parts/picture.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Id, Status } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'
import { placeText, priceText } from './listing-texts.ts'

type Item = Schema<'QueuedListing'>
type ListingStatus = Schema<'ListingStatus'>

const STATUSES = Object.entries(codes.listingStatus) as [ListingStatus, string][]

/** The listings that wait for a moderator, revisions included, or those of one agent or in one status. */
export function ListingsPage() {
  const { query } = route.value
  const agent = query.get('agent') ?? undefined
  // Without a status in the address: the queue, or all listings of the one agent.
  const status = (query.get('status') ?? (agent ? '' : 'PENDING_REVIEW')) as ListingStatus | ''
  const list = useList(`listings ${agent} ${status}`, (cursor) =>
    read(
      api.GET('/admin/listings', {
        params: { query: { limit: 50, cursor, agent, status: status || undefined } },
      }),
    ),
  )
  // A decided listing leaves the queue at once; every other list shows it until it is loaded again.
  const isQueue = agent === undefined && status === 'PENDING_REVIEW'
  const items = isQueue ? withoutDecided(list.items, ({ id }) => [id]) : list.items
  rememberOrder('listings', items?.map(({ id }) => id) ?? [])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.listings}</h1>
        <div class="filters">
          {agent !== undefined && (
            <a class="tag" href={linkTo('listings')}>
              {words.listings.agent}: <Id>{agent}</Id> ×
            </a>
          )}
          <Select<ListingStatus | ''>
            label={words.common.status}
            value={status}
            options={agent ? [['', words.common.all], ...STATUSES] : STATUSES}
            set={(chosen) => refine({ status: chosen })}
          />
        </div>
      </header>
      <Table
        label={words.nav.listings}
        list={{ ...list, items }}
        columns={COLUMNS}
        idOf={({ id }) => id}
        linkOf={({ id }) => linkTo('listings', id)}
        empty={words.listings.empty}
      />
    </>
  )
}

const COLUMNS: readonly Column<Item>[] = [
  {
    title: words.listings.listing,
    isWide: true,
    cell: ({ title, media, revision }) => (
      <span class="with-picture">
        <Picture of={media.find(({ kind }) => kind === 'image')} size="thumb" />
        <span class="cell">
          {revision !== null && <span class="tag">{words.listings.revision}</span>}
          <b>
            <bdi>{title ?? words.listings.untitled}</bdi>
          </b>
        </span>
      </span>
    ),
  },
  {
    title: words.common.status,
    cell: ({ status }) => <Status tone={toneOf(status)}>{codes.listingStatus[status]}</Status>,
  },
  {
    title: words.listings.agent,
    cell: ({ agent }) => (
      <Status tone={agent.kycStatus === null ? 'quiet' : toneOf(agent.kycStatus)}>
        <bdi>{agent.displayName}</bdi>
      </Status>
    ),
  },
  { title: words.listings.price, isNumber: true, cell: priceText },
  { title: words.listings.place, isSpare: true, cell: ({ location }) => placeText(location) },
  {
    title: words.listings.reports,
    isNumber: true,
    cell: ({ reportCount }) => (reportCount > 0 ? <b>{reportCount}</b> : null),
  },
  { title: words.listings.waiting, cell: ({ waitingSince }) => <Ago at={waitingSince} /> },
  { title: words.claim.by, isSpare: true, cell: ({ claimedBy }) => claimedBy },
]
