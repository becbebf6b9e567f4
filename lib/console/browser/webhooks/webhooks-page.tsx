import { signal } from '@preact/signals'
import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { type List, useList } from '../api/use-list.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { linkTo } from '../app/router.ts'
import { say } from '../app/toasts.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { givenSecret } from './secret.ts'
import { SecretShown } from './secret-shown.tsx'
import { WebhookForm } from './webhook-form.tsx'

type Webhook = Schema<'Webhook'>

const isCreating = signal(false)

/** Every registered webhook, and the form of a new one. */
export function WebhooksPage() {
  const list: List<Webhook> = useList('webhooks', (cursor) =>
    read(api.GET('/admin/webhooks', { params: { query: { cursor } } })),
  )
  const toggleForm = () => {
    isCreating.value = !isCreating.value
    focusForm(words.webhooks.create)
  }
  useKeys(mayDo('integrations') ? [{ keys: 'c', does: words.webhooks.create, run: toggleForm }] : [])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.webhooks}</h1>
        {mayDo('integrations') && (
          <div class="filters">
            <button type="button" class="primary" aria-expanded={isCreating.value} onClick={toggleForm}>
              {words.webhooks.create} <kbd>c</kbd>
            </button>
          </div>
        )}
      </header>
      <SecretShown />
      {isCreating.value && (
        <WebhookForm
          draftKey="new webhook"
          send={async (body) => {
            const { secret } = await read(api.POST('/admin/webhooks', { body }))
            givenSecret.value = secret
            isCreating.value = false
            say(words.webhooks.created)
            await list.reload()
          }}
        />
      )}
      <Table
        label={words.nav.webhooks}
        list={list}
        columns={COLUMNS}
        idOf={({ id }) => id}
        linkOf={({ id }) => linkTo('webhooks', id)}
        empty={words.webhooks.empty}
      />
    </>
  )
}

const COLUMNS: readonly Column<Webhook>[] = [
  { title: words.webhooks.url, isWide: true, cell: ({ url }) => <b>{url}</b> },
  {
    title: words.common.status,
    cell: ({ status, failingSince }) => (
      <>
        <Status tone={failingSince === null ? toneOf(status) : 'bad'}>{codes.webhookStatus[status]}</Status>
        {failingSince !== null && (
          <span class="quiet">
            {' '}
            <Time at={failingSince} />
          </span>
        )}
      </>
    ),
  },
  { title: words.webhooks.types, isNumber: true, cell: ({ types }) => types.length },
  { title: words.webhooks.description, cell: ({ description }) => description },
  { title: words.payments.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
]
