import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { linkTo, refine, route } from '../app/router.ts'
import { DetailsInWords } from '../parts/details-in-words.tsx'
import { Input } from '../parts/form.tsx'
import { NameLink } from '../parts/name-link.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Time } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'

type Event = Schema<'ListEventsAnswer'>['items'][number]

/** The events of the last thirty days, oldest first, or the events of one subject. */
export function EventsPage() {
  const subject = route.value.query.get('subject') ?? ''
  const list = useList(`events ${subject}`, (cursor) =>
    read(
      api.GET('/admin/events', { params: { query: { limit: 100, cursor, subject: subject || undefined } } }),
    ),
  )
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.events}</h1>
        <div class="filters">
          <Input label={words.journal.subject} value={subject} set={(typed) => refine({ subject: typed })} />
        </div>
      </header>
      <Table
        label={words.nav.events}
        list={list}
        columns={COLUMNS}
        idOf={({ id }) => id}
        linkOf={({ id }) => linkTo('events', id)}
        empty={words.events.empty}
      />
    </>
  )
}

const COLUMNS: readonly Column<Event>[] = [
  { title: words.callbacks.type, cell: ({ type }) => <b>{codes.event[type]}</b> },
  { title: words.journal.subject, cell: ({ subject }) => <NameLink id={subject} /> },
  {
    title: words.journal.details,
    isWide: true,
    cell: ({ type, data, subject }) => <DetailsInWords type={type} data={data} subject={subject} />,
  },
  { title: words.journal.at, cell: ({ at }) => <Time at={at} /> },
]
