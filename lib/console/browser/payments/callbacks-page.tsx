import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { withoutDecided } from '../app/held.ts'
import { rememberOrder } from '../app/queue.ts'
import { linkTo, refine, route } from '../app/router.ts'
import { Input, Select } from '../parts/form.tsx'
import { inMoney, money } from '../parts/format.ts'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Id, Status, SubjectLink } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'

type CallbackStatus = Schema<'CallbackStatus'>

const STATUSES = Object.entries(codes.callbackStatus) as [CallbackStatus, string][]

/** The callbacks of providers: those that need an administrator, or all by status and provider. */
export function CallbacksPage() {
  const { query } = route.value
  const status = (query.get('status') ?? '') as CallbackStatus | ''
  const provider = query.get('provider') ?? ''
  const list = useList(`callbacks ${status} ${provider}`, (cursor) => {
    const filters = { limit: 50, cursor, status: status || undefined, provider: provider || undefined }
    return read(api.GET('/admin/payments/callbacks', { params: { query: filters } }))
  })
  // Without a status the list is the queue, which leaves out what the reader has decided on.
  const isQueue = status === ''
  const items = isQueue ? withoutDecided(list.items, ({ id }) => [id]) : list.items
  rememberOrder('callbacks', items?.map(({ id }) => id) ?? [])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.callbacks}</h1>
        <div class="filters">
          <Select<CallbackStatus | ''>
            label={words.common.status}
            value={status}
            options={[['', words.callbacks.needs], ...STATUSES]}
            set={(chosen) => refine({ status: chosen })}
          />
          <Input
            label={words.payments.provider}
            value={provider}
            set={(typed) => refine({ provider: typed })}
          />
        </div>
      </header>
      <Table
        label={words.nav.callbacks}
        list={{ ...list, items }}
        columns={COLUMNS}
        idOf={({ id }) => id}
        linkOf={({ id }) => linkTo('callbacks', id)}
        empty={status || provider ? words.callbacks.emptyFiltered : words.callbacks.empty}
      />
    </>
  )
}

const COLUMNS: readonly Column<Schema<'Callback'>>[] = [
  { title: words.callbacks.type, cell: ({ type }) => <b>{type}</b> },
  {
    title: words.common.status,
    cell: ({ status }) => <Status tone={toneOf(status)}>{codes.callbackStatus[status]}</Status>,
  },
  {
    title: words.callbacks.sum,
    isNumber: true,
    cell: ({ amount, currency }) => (amount === null || currency === null ? '–' : money(amount, currency)),
  },
  {
    title: words.callbacks.reference,
    cell: ({ reference }) => reference && <Id>{reference}</Id>,
  },
  { title: words.payments.provider, cell: ({ provider }) => provider },
  {
    title: words.callbacks.detail,
    isWide: true,
    cell: ({ detail }) => detail && inMoney(detail),
  },
  {
    title: words.payments.payment,
    cell: ({ paymentId }) => (paymentId === null ? null : <SubjectLink id={paymentId} />),
  },
  { title: words.callbacks.received, cell: ({ receivedAt }) => <Ago at={receivedAt} /> },
]
