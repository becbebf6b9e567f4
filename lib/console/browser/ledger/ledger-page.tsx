import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useList } from '../api/use-list.ts'
import { pollNever, useLoad } from '../api/use-load.ts'
import { useKeys } from '../app/keys.ts'
import { refine, route } from '../app/router.ts'
import { Input, Select, SendingFailed, useSending } from '../parts/form.tsx'
import { currencies, money } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Id, linkToSubject, Section, Time } from '../parts/text.tsx'
import { words } from '../words/words.ts'
import { AccountLink } from './account-link.tsx'
import { dayAfter, downloadLedger } from './download-ledger.ts'
import { reasonText } from './reason-text.ts'
import { TrialBalance } from './trial-balance.tsx'

type Posting = Schema<'Posting'>
type Currency = Schema<'Currency'>

const today = (): string => new Date().toISOString().slice(0, 10)

/** Returns a day of the page's query; undefined for any other text, such as a day that was cut off. */
const dayIn = (text: string | null): string | undefined =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined

/** The ledger: the trial balance at the end of a day, and the postings of a span of UTC days, which can be downloaded. */
export function LedgerPage() {
  const { query } = route.value
  const until = dayIn(query.get('to')) ?? today()
  const from = dayIn(query.get('from')) ?? `${until.slice(0, 7)}-01`
  const account = query.get('account') ?? ''
  const currency = (query.get('currency') ?? '') as Currency | ''
  // The API excludes the day `to`, and the page includes it.
  const filter = {
    from,
    to: dayAfter(until),
    ...(account && { account }),
    ...(currency && { currency }),
  }
  // Without `at` the balances are those of this moment.
  const balances = useLoad(`balances ${until} ${account}`, () =>
    read(
      api.GET('/admin/ledger/balances', {
        params: { query: { ...(until < today() && { at: until }), ...(account && { account }) } },
      }),
    ),
  )
  const list = useList(
    `ledger ${JSON.stringify(filter)}`,
    (cursor) => read(api.GET('/admin/ledger', { params: { query: { ...filter, limit: 100, cursor } } })),
    pollNever,
  )
  const sending = useSending()
  const download = () => sending.send(() => downloadLedger(filter))
  useKeys([{ keys: 's', does: words.ledger.download, run: download }])
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.ledger}</h1>
        <div class="filters">
          <Input
            label={words.ledger.from}
            type="date"
            value={from}
            set={(typed) => refine({ from: typed })}
          />
          <Input label={words.ledger.to} type="date" value={until} set={(typed) => refine({ to: typed })} />
          <Input
            label={words.payments.account}
            value={account}
            set={(typed) => refine({ account: typed.trim() })}
          />
          <Select<Currency | ''>
            label={words.payouts.currency}
            value={currency}
            options={[['', words.common.all], ...currencies.value.map((code) => [code, code] as const)]}
            set={(chosen) => refine({ currency: chosen })}
          />
          <button type="button" disabled={sending.isBusy} onClick={download}>
            {words.ledger.download} <kbd>s</kbd>
          </button>
        </div>
      </header>
      <SendingFailed of={sending} />
      <Section title={words.ledger.trialBalance}>
        <Loaded of={balances}>
          {({ items }) => (
            <TrialBalance items={items.filter((item) => currency === '' || item.currency === currency)} />
          )}
        </Loaded>
      </Section>
      <Section title={words.ledger.postings}>
        <Table
          label={words.ledger.postings}
          list={list}
          columns={COLUMNS}
          idOf={({ id }) => id}
          linkOf={({ payoutId, paymentId }) => linkToSubject(payoutId ?? paymentId ?? '')}
          empty={words.ledger.empty}
        />
      </Section>
    </>
  )
}

const COLUMNS: readonly Column<Posting>[] = [
  { title: words.journal.at, cell: ({ at }) => <Time at={at} isShort /> },
  { title: words.payments.account, cell: ({ account }) => <AccountLink name={account} /> },
  {
    title: words.payments.amount,
    isNumber: true,
    cell: ({ amount, currency }) => money(amount, currency),
  },
  { title: words.ledger.why, isWide: true, cell: ({ reason }) => reasonText(reason) },
  { title: words.ledger.transaction, cell: ({ transaction }) => <Id>{transaction}</Id> },
]
