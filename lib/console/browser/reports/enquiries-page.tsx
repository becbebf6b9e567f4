import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { withoutDecided } from '../app/held.ts'
import { rememberOrder } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { type Column, Table } from '../parts/table.tsx'
import { Ago } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'
import { reasonsText } from './reasons-text.ts'

/** Enquiries that one side has reported, longest waiting first; their messages are on their own page. */
export function EnquiriesPage() {
  const list = useList('enquiries', (cursor) =>
    read(api.GET('/admin/enquiries', { params: { query: { limit: 50, cursor } } })),
  )
  // A decision on the reports has the subject `enquiries <id>`.
  const items = withoutDecided(list.items, ({ enquiry }) => [`enquiries ${enquiry.id}`])
  rememberOrder('enquiries', items?.map(({ enquiry }) => enquiry.id) ?? [])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.enquiries}</h1>
        <p class="quiet">{words.reports.looked}</p>
      </header>
      <Table
        label={words.nav.enquiries}
        list={{ ...list, items }}
        columns={COLUMNS}
        idOf={({ enquiry }) => enquiry.id}
        linkOf={({ enquiry }) => linkTo('enquiries', enquiry.id)}
        empty={words.reports.emptyEnquiries}
      />
    </>
  )
}

const COLUMNS: readonly Column<Schema<'ReportedEnquiry'>>[] = [
  {
    title: words.listings.listing,
    isWide: true,
    cell: ({ enquiry }) => (
      <b>
        <bdi>{enquiry.listing.title ?? words.listings.untitled}</bdi>
      </b>
    ),
  },
  {
    title: words.reports.customer,
    cell: ({ enquiry }) => enquiry.customer?.name ?? words.reports.gone,
  },
  {
    title: words.reports.agent,
    cell: ({ enquiry }) => enquiry.agent?.displayName ?? words.reports.gone,
  },
  { title: words.common.status, cell: ({ enquiry }) => codes.enquiryStatus[enquiry.status] },
  { title: words.reports.reasons, cell: ({ reasons }) => reasonsText('enquiry', reasons) },
  { title: words.reports.first, cell: ({ firstAt }) => <Ago at={firstAt} /> },
]
