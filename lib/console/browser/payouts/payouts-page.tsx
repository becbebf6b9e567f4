import { signal } from '@preact/signals'
import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { pollNever } from '../api/use-load.ts'
import { withoutDecided } from '../app/held.ts'
import { focusForm, useKeys } from '../app/keys.ts'
import { rememberOrder } from '../app/queue.ts'
import { linkTo, refine, route } from '../app/router.ts'
import { Select } from '../parts/form.tsx'
import { currencies, money } from '../parts/format.ts'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Id, Status } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { AgentLink } from '../people/agent-name.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { PayoutRun } from './payout-run.tsx'
import { waitingPayouts } from './waiting-payouts.ts'

type Payout = Schema<'Payout'>
type PayoutStatus = Schema<'PayoutStatus'>

const STATUSES = Object.entries(codes.payoutStatus) as [PayoutStatus, string][]

/** Whether the form that pays all agents out is shown. */
const isRunShown = signal(false)

/** Payouts that need an administrator, or all by status, currency or agent, and the form that pays all agents out. */
export function PayoutsPage() {
  const { query } = route.value
  const isWaiting = query.get('waiting') === 'true'
  const status = (query.get('status') ?? '') as PayoutStatus | ''
  const currency = (query.get('currency') ?? '') as Schema<'Currency'> | ''
  const agentId = query.get('agentId') ?? ''
  const list = useList(
    `payouts ${query}`,
    (cursor) =>
      isWaiting
        ? waitingPayouts(cursor)
        : read(
            api.GET('/admin/payouts', {
              params: {
                query: {
                  limit: 50,
                  cursor,
                  ...(status && { status }),
                  ...(currency && { currency }),
                  ...(agentId && { agentId }),
                },
              },
            }),
          ),
    pollNever,
  )
  const items = isWaiting ? withoutDecided(list.items, ({ id }) => [id]) : list.items
  rememberOrder('payouts', items?.map(({ id }) => id) ?? [])
  /** Shows the form and puts the focus in it, or hides the form. */
  const toggleRun = () => {
    isRunShown.value = !isRunShown.value
    focusForm(words.payouts.payEveryone, 'select')
  }
  useKeys(mayDo('payments') ? [{ keys: 'r', does: words.payouts.payEveryone, run: toggleRun }] : [])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.payouts}</h1>
        <nav class="tabs" aria-label={words.common.filter}>
          <a
            href={linkTo('payouts', undefined, { waiting: 'true' })}
            aria-current={isWaiting ? 'page' : undefined}
          >
            {words.payments.attention}
          </a>
          <a href={linkTo('payouts')} aria-current={isWaiting ? undefined : 'page'}>
            {words.payouts.all}
          </a>
        </nav>
        <div class="filters">
          {!isWaiting && (
            <>
              <Select<PayoutStatus | ''>
                label={words.common.status}
                value={status}
                options={[['', words.common.all], ...STATUSES]}
                set={(chosen) => refine({ status: chosen })}
              />
              <Select<Schema<'Currency'> | ''>
                label={words.payouts.currency}
                value={currency}
                options={[['', words.common.all], ...currencies.value.map((code) => [code, code] as const)]}
                set={(chosen) => refine({ currency: chosen })}
              />
            </>
          )}
          {agentId && (
            <button type="button" class="tag" onClick={() => refine({ agentId: '' })}>
              <Id>{agentId}</Id> ×
            </button>
          )}
          {mayDo('payments') && (
            <button type="button" aria-expanded={isRunShown.value} onClick={toggleRun}>
              {words.payouts.payEveryone} <kbd>r</kbd>
            </button>
          )}
        </div>
      </header>
      {isRunShown.value && mayDo('payments') && (
        <PayoutRun
          done={() => {
            isRunShown.value = false
          }}
        />
      )}
      <Table
        label={words.nav.payouts}
        list={{ ...list, items }}
        columns={COLUMNS}
        idOf={({ id }) => id}
        linkOf={({ id }) => linkTo('payouts', id)}
        empty={isWaiting ? words.payouts.emptyWaiting : words.payouts.empty}
      />
    </>
  )
}

const COLUMNS: readonly Column<Payout>[] = [
  { title: words.payments.amount, cell: ({ amount, currency }) => <b>{money(amount, currency)}</b> },
  {
    title: words.common.status,
    cell: ({ status }) => <Status tone={toneOf(status)}>{codes.payoutStatus[status]}</Status>,
  },
  { title: words.listings.agent, isWide: true, cell: ({ agentId }) => <AgentLink id={agentId} /> },
  {
    title: words.payouts.method,
    cell: ({ method, provider }) => provider ?? words.payouts.methods[method],
  },
  { title: words.payouts.account, cell: ({ account }) => `•••• ${account}` },
  { title: words.payouts.reference, cell: ({ reference }) => reference },
  { title: words.payments.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
]
