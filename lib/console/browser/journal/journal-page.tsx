import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { refine, route } from '../app/router.ts'
import { DetailsInWords } from '../parts/details-in-words.tsx'
import { Input } from '../parts/form.tsx'
import { NameLink } from '../parts/name-link.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { linkToSubject, Time } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'

type Action = Schema<'Action'>

const FILTERS = [
  ['by', words.journal.by, 'text'],
  ['subject', words.journal.subject, 'text'],
  ['from', words.journal.from, 'date'],
  ['to', words.journal.to, 'date'],
] as const

/** The actions of administrators, newest first, with filters by administrator, subject and days. */
export function JournalPage() {
  const { query } = route.value
  const from = startOfDay(query.get('from'))
  // The last day is included: the API is asked for what came before the day after it.
  const to = startOfDay(query.get('to'), { daysLater: 1 })
  const list = useList(`journal ${query}`, (cursor) =>
    read(
      api.GET('/admin/actions', {
        params: {
          query: {
            limit: 100,
            cursor,
            by: query.get('by') || undefined,
            subject: query.get('subject') || undefined,
            from,
            to,
          },
        },
      }),
    ),
  )
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.journal}</h1>
        <div class="filters">
          {FILTERS.map(([name, label, type]) => (
            <Input
              key={name}
              label={label}
              type={type}
              value={query.get(name) ?? ''}
              set={(value) => refine({ [name]: value })}
            />
          ))}
        </div>
      </header>
      <Table
        label={words.nav.journal}
        list={list}
        columns={COLUMNS}
        idOf={({ id }) => id}
        linkOf={({ subject }) => linkToSubject(subject)}
        empty={words.journal.empty}
      />
    </>
  )
}

/** Returns when a day, or the day some days later, begins in the reader's time zone; undefined for any other text. */
function startOfDay(day: string | null, { daysLater = 0 } = {}): string | undefined {
  if (!day) return undefined
  const date = new Date(`${day}T00:00:00`)
  if (Number.isNaN(date.getTime())) return undefined
  date.setDate(date.getDate() + daysLater)
  return date.toISOString()
}

const COLUMNS: readonly Column<Action>[] = [
  { title: words.journal.action, cell: ({ action }) => <b>{codes.action[action]}</b> },
  { title: words.journal.subject, cell: ({ subject }) => <NameLink id={subject} /> },
  { title: words.journal.by, cell: ({ by }) => by },
  {
    title: words.journal.details,
    isWide: true,
    cell: ({ action, details, subject }) => <DetailsInWords type={action} data={details} subject={subject} />,
  },
  { title: words.journal.at, cell: ({ at }) => <Time at={at} /> },
]
