import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { sendUnlessUndone, withoutDecided } from '../app/held.ts'
import { linkTo } from '../app/router.ts'
import { NameLink, nameText } from '../parts/name-link.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Ago } from '../parts/text.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'

type Mail = Schema<'UnsentMail'>

/** Mail that could not be sent, with a button that sends it again. */
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
        list={{ ...list, items: withoutDecided(list.items, ({ id }) => [id]) }}
        columns={mayDo('support') ? [...COLUMNS, SEND] : COLUMNS}
        idOf={({ id }) => id}
        empty={words.mails.empty}
      />
    </>
  )
}

const COLUMNS: readonly Column<Mail>[] = [
  { title: words.mails.kind, cell: ({ kind }) => <b>{codes.mail[kind] ?? kind}</b> },
  {
    title: words.mails.person,
    cell: ({ userId }) => (userId === null ? null : <NameLink id={userId} />),
  },
  { title: words.mails.error, isWide: true, cell: ({ error }) => error },
  { title: words.mails.attempts, isNumber: true, cell: ({ attempts }) => attempts },
  { title: words.mails.at, cell: ({ at }) => <Ago at={at} /> },
]

const SEND: Column<Mail> = {
  title: words.mails.send,
  cell: (mail) => (
    <button type="button" onClick={() => sendAgain(mail)}>
      {words.mails.send}
    </button>
  ),
}

/** Sends a mail again, unless the reader undoes it. Sending also lifts a suppression of the address. */
function sendAgain({ id, kind, userId }: Mail): void {
  const mail = codes.mail[kind] ?? kind
  sendUnlessUndone({
    subject: id,
    text: `${[mail, userId && nameText(userId)].filter(Boolean).join(', ')}: ${words.mails.send}`,
    link: linkTo('mails'),
    change: { method: 'POST', path: `/admin/mails/${id}/send` },
    staleKeys: ['mails'],
  })
}
