import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { type List, useList } from '../api/use-list.ts'
import { say, sayRefused } from '../app/toasts.tsx'
import { Named } from '../parts/named.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Ago } from '../parts/text.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'

type Mail = Schema<'UnsentMail'>

/** Mail that could not be sent, and sending it again. */
export function MailsPage() {
  const list = useList('mails', (cursor) =>
    read(api.GET('/admin/mails', { params: { query: { limit: 100, cursor } } })),
  )
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.mails}</h1>
      </header>
      <Table
        label={words.nav.mails}
        list={list}
        columns={columnsOf(list)}
        idOf={({ id }) => id}
        empty={words.mails.empty}
      />
    </>
  )
}

const columnsOf = ({ reload }: List<Mail>): readonly Column<Mail>[] => [
  ...COLUMNS,
  ...(mayDo('support')
    ? [
        {
          title: words.mails.send,
          cell: ({ id }: Mail) => (
            <button type="button" onClick={() => sendAgain(id).then(reload)}>
              {words.mails.send}
            </button>
          ),
        },
      ]
    : []),
]

const COLUMNS: readonly Column<Mail>[] = [
  { title: words.mails.kind, cell: ({ kind }) => <b>{codes.mail[kind] ?? kind}</b> },
  {
    title: words.mails.person,
    cell: ({ userId }) => (userId === null ? null : <Named id={userId} />),
  },
  { title: words.mails.error, isWide: true, isExtra: true, cell: ({ error }) => error },
  { title: words.mails.attempts, isNumber: true, isExtra: true, cell: ({ attempts }) => attempts },
  { title: words.mails.at, cell: ({ at }) => <Ago at={at} /> },
]

const sendAgain = (id: string): Promise<void> =>
  read(api.POST('/admin/mails/{id}/send', { params: { path: { id } } })).then(
    () => say(words.mails.sent),
    sayRefused,
  )
