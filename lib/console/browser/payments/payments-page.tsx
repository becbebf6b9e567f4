import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { withoutDecided } from '../app/held.ts'
import { rememberOrder } from '../app/queue.ts'
import { linkTo, refine, route } from '../app/router.ts'
import { Input, Select } from '../parts/form.tsx'
import { money } from '../parts/format.ts'
import { type Column, Table } from '../parts/table.tsx'
import { Ago, Id, Status } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'

type Item = Schema<'AdministeredPayment'>
type PaymentStatus = Schema<'PaymentStatus'>

const STATUSES = Object.entries(codes.paymentStatus) as [PaymentStatus, string][]

/** Payments that need an administrator, or all by status, provider, payer or listing. */
export function PaymentsPage() {
  const { query } = route.value
  const filters = {
    status: (query.get('status') ?? '') as PaymentStatus | '',
    provider: query.get('provider') ?? '',
    userId: query.get('userId') ?? '',
    listingId: query.get('listingId') ?? '',
  }
  const isAttention = query.get('attention') === 'true'
  const list = useList(`payments ${query}`, (cursor) => {
    const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''))
    const attention = isAttention ? { attention: 'true' as const } : {}
    return read(
      api.GET('/admin/payments', { params: { query: { limit: 50, cursor, ...chosen, ...attention } } }),
    )
  })
  const items = isAttention ? withoutDecided(list.items?.toSorted(byNeed), ({ id }) => [id]) : list.items
  rememberOrder('payments', items?.map(({ id }) => id) ?? [])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.payments}</h1>
        <nav class="tabs" aria-label={words.common.filter}>
          <a
            href={linkTo('payments', undefined, { attention: 'true' })}
            aria-current={isAttention ? 'page' : undefined}
          >
            {words.payments.attention}
          </a>
          <a href={linkTo('payments')} aria-current={isAttention ? undefined : 'page'}>
            {words.payments.all}
          </a>
        </nav>
        <div class="filters">
          <Select<PaymentStatus | ''>
            label={words.common.status}
            value={filters.status}
            options={[['', words.common.all], ...STATUSES]}
            set={(status) => refine({ status })}
          />
          <Input
            label={words.payments.provider}
            value={filters.provider}
            set={(provider) => refine({ provider })}
          />
          {(['userId', 'listingId'] as const).map(
            (name) =>
              filters[name] && (
                <button key={name} type="button" class="tag" onClick={() => refine({ [name]: '' })}>
                  <Id>{filters[name]}</Id> ×
                </button>
              ),
          )}
        </div>
      </header>
      <Table
        label={words.nav.payments}
        list={{ ...list, items }}
        columns={COLUMNS}
        idOf={({ id }) => id}
        linkOf={({ id }) => linkTo('payments', id)}
        empty={isAttention ? words.payments.emptyAttention : words.payments.empty}
      />
    </>
  )
}

/** Returns since when a payment needs an administrator. */
const neededSince = ({ attention }: Item): string => attention.map(({ at }) => at).sort()[0] ?? ''

/** Sorts first the payment that has needed an administrator for longest. */
const byNeed = (a: Item, b: Item): number => neededSince(a).localeCompare(neededSince(b))

const COLUMNS: readonly Column<Item>[] = [
  {
    title: words.payments.amount,
    cell: ({ amount, currency }) => <b>{money(amount, currency)}</b>,
  },
  {
    title: words.common.status,
    cell: ({ status }) => <Status tone={toneOf(status)}>{codes.paymentStatus[status]}</Status>,
  },
  {
    title: words.payments.payer,
    isWide: true,
    cell: ({ user, userId }) => user?.name ?? user?.email ?? userId,
  },
  {
    title: words.payments.attention,
    cell: ({ attention }) => attention.map(({ code }) => codes.attention[code].title).join(', '),
  },
  { title: words.payments.provider, cell: ({ provider }) => provider },
  { title: words.payments.purpose, cell: ({ purpose }) => codes.purpose[purpose] },
  { title: words.payments.listing, cell: ({ listing }) => listing?.title },
  { title: words.payments.created, cell: ({ createdAt }) => <Ago at={createdAt} /> },
]
