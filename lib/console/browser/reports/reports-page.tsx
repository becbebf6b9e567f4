import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { withoutDecided } from '../app/held.ts'
import { rememberOrder } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { Picture } from '../parts/picture.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Status } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'
import { reasonsText } from './reasons-text.ts'

/** Listings that people have reported, longest waiting first. */
export function ReportsPage() {
  const list = useList('reports', (cursor) =>
    read(api.GET('/admin/reports', { params: { query: { limit: 50, cursor } } })),
  )
  // A decision on the reports has the subject `reports <id>`; one on the listing itself has its id.
  const items = withoutDecided(list.items, ({ listing }) => [listing.id, `reports ${listing.id}`])
  rememberOrder('reports', items?.map(({ listing }) => listing.id) ?? [])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.reports}</h1>
      </header>
      <Table
        label={words.nav.reports}
        list={{ ...list, items }}
        columns={COLUMNS}
        idOf={({ listing }) => listing.id}
        linkOf={({ listing }) => linkTo('reports', listing.id)}
        empty={words.reports.empty}
      />
    </>
  )
}

const COLUMNS: readonly Column<Schema<'ReportedListing'>>[] = [
  {
    title: words.listings.listing,
    isWide: true,
    cell: ({ listing }) => (
      <span class="with-picture">
        <Picture of={listing.media.find(({ kind }) => kind === 'image')} size="thumb" />
        <span class="cell">
          <b>
            <bdi>{listing.title ?? words.listings.untitled}</bdi>
          </b>
        </span>
      </span>
    ),
  },
  {
    title: words.common.status,
    cell: ({ listing }) => (
      <Status tone={toneOf(listing.status)}>{codes.listingStatus[listing.status]}</Status>
    ),
  },
  { title: words.reports.count, isNumber: true, cell: ({ count }) => count },
  { title: words.reports.reasons, cell: ({ reasons }) => reasonsText('report', reasons) },
  { title: words.reports.first, cell: ({ firstAt }) => <Ago at={firstAt} /> },
  { title: words.reports.last, cell: ({ lastAt }) => <Ago at={lastAt} /> },
]
