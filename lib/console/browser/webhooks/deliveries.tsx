import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { say, sayRefused } from '../app/toasts.tsx'
import { count } from '../parts/format.ts'
import { type Column, Table } from '../parts/table.tsx'
import { Status, Time } from '../parts/text.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'

type Delivery = Schema<'Delivery'>

/** Every attempt to deliver to a webhook, newest first, and sending one again. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const list = useList(`deliveries ${webhookId}`, (cursor) =>
    read(
      api.GET('/admin/webhooks/{id}/deliveries', {
        params: { path: { id: webhookId }, query: { limit: 50, cursor } },
      }),
    ),
  )
  const redeliver = (deliveryId: string) =>
    read(
      api.POST('/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver', {
        params: { path: { id: webhookId, deliveryId } },
      }),
    ).then(() => {
      say(words.webhooks.redelivered)
      return list.reload()
    }, sayRefused)
  return (
    <Table
      label={words.webhooks.deliveries}
      list={list}
      columns={columnsOf(redeliver)}
      idOf={({ id }) => id}
      empty={words.webhooks.noDeliveries}
    />
  )
}

const hasArrived = ({ status }: Delivery): boolean => status !== null && status >= 200 && status < 300

const columnsOf = (redeliver: (id: string) => void): readonly Column<Delivery>[] => [
  ...COLUMNS,
  ...(mayDo('integrations')
    ? [
        {
          title: words.webhooks.redeliver,
          cell: ({ id }: Delivery) => (
            <button type="button" onClick={() => redeliver(id)}>
              {words.webhooks.redeliver}
            </button>
          ),
        },
      ]
    : []),
]

const COLUMNS: readonly Column<Delivery>[] = [
  { title: words.webhooks.types, cell: ({ type }) => <b>{type}</b> },
  {
    title: words.common.status,
    cell: (delivery) => (
      <Status tone={hasArrived(delivery) ? 'good' : 'bad'}>
        {delivery.status ?? (delivery.error && codes.deliveryError[delivery.error])}
      </Status>
    ),
  },
  { title: words.webhooks.attempt, isNumber: true, cell: ({ attempt }) => attempt },
  {
    title: words.webhooks.took,
    isNumber: true,
    cell: ({ milliseconds }) => (milliseconds === null ? null : `${count(milliseconds)} ms`),
  },
  { title: words.webhooks.answer, isWide: true, cell: ({ answer }) => <code>{answer}</code> },
  { title: words.journal.at, cell: ({ at }) => <Time at={at} /> },
]
