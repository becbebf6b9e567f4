import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useLoad } from '../api/use-load.ts'
import { linkTo } from '../app/router.ts'
import { count } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { Ago, Section } from '../parts/text.tsx'
import { lackedRole } from '../session/session.ts'
import { words } from '../words/words.ts'
import { overview } from './overview.ts'
import { PaymentCharts } from './payment-charts.tsx'
import { SignUps } from './sign-ups.tsx'

type Overview = Schema<'Overview'>
type Queue = keyof Overview['waiting']

/** The queues with their ages, and the figures of the last days; the menu keeps them up to date. */
export function HomePage() {
  const mayReadPayments = lackedRole('payments') === undefined
  // Loaded only with the page: the journal records every reading of payments.
  const attention = useLoad('attention', async () =>
    mayReadPayments
      ? read(api.GET('/admin/payments', { params: { query: { attention: 'true', limit: 100 } } }))
      : undefined,
  )
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.home}</h1>
      </header>
      <Loaded of={overview.value}>
        {({ waiting, payments, signUps }) => (
          <>
            <Section title={words.home.waiting}>
              <ul class="tiles">
                {tilesOf(waiting, attention.value).map((tile) => (
                  <Tile key={tile.title} {...tile} />
                ))}
              </ul>
            </Section>
            {payments && <PaymentCharts of={payments} days={shownDays()} />}
            {signUps && (
              <Section title={words.home.signUps}>
                <SignUps of={signUps} />
              </Section>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

const QUEUES: readonly (readonly [Queue, string, string])[] = [
  ['kyc', words.nav.identities, linkTo('identities')],
  ['listings', words.nav.listings, linkTo('listings')],
  ['reports', words.nav.reports, linkTo('reports')],
  ['enquiries', words.nav.enquiries, linkTo('enquiries')],
  ['callbacks', words.home.callbacks, linkTo('callbacks')],
  ['payouts', words.home.payouts, linkTo('payouts', undefined, { waiting: 'true' })],
  ['disputes', words.home.disputes, linkTo('payments', undefined, { status: 'DISPUTED' })],
  // The list of payments has no filter for refunds.
  ['refunds', words.home.refunds, linkTo('payments')],
]

type Attention = {
  items: readonly Pick<Schema<'AdministeredPayment'>, 'attention'>[]
  nextCursor: string | null
}

/** Sorts after every time. */
const NEVER = '9999'

/** Returns a tile for each queue that the reader's roles open: the longest wait first, empty queues last. */
function tilesOf(waiting: Overview['waiting'], attention: Attention | undefined): TileProps[] {
  const queues = QUEUES.flatMap(([name, title, link]) => {
    const queue = waiting[name]
    return queue === null ? [] : [{ title, link, ...queue }]
  })
  const tiles = [
    ...queues,
    ...(attention === undefined
      ? []
      : [
          {
            title: words.home.attention,
            link: linkTo('payments', undefined, { attention: 'true' }),
            count: attention.items.length,
            hasMore: attention.nextCursor !== null,
            oldestAt: oldestOf(attention.items),
          },
        ]),
  ]
  const since = ({ count: waits, oldestAt }: TileProps) => (waits === 0 ? NEVER : (oldestAt ?? NEVER))
  return tiles.toSorted((a, b) => since(a).localeCompare(since(b)))
}

type TileProps = { title: string; link: string; count: number; oldestAt: string | null; hasMore?: boolean }

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

const Tile = ({ title, link, count: waiting, oldestAt, hasMore = false }: TileProps) => (
  <li>
    <a href={link} class={toneOf(waiting, oldestAt)}>
      <span>{title}</span>
      <b>
        {count(waiting)}
        {hasMore && '+'}
      </b>
      <small>
        {waiting === 0 ? (
          words.home.nothing
        ) : (
          <>
            {words.home.oldest} <Ago at={oldestAt} />
          </>
        )}
      </small>
    </a>
  </li>
)

/** A queue that has waited for more than a day stands out. */
function toneOf(waiting: number, oldestAt: string | null): string {
  if (waiting === 0) return 'tile calm'
  return oldestAt !== null && Date.now() - Date.parse(oldestAt) > DAY_MILLISECONDS ? 'tile late' : 'tile'
}

/** Returns since when the first of some payments needs an administrator. */
const oldestOf = (payments: readonly Pick<Schema<'AdministeredPayment'>, 'attention'>[]): string | null =>
  payments.flatMap(({ attention }) => attention.map(({ at }) => at)).sort()[0] ?? null

/** The UTC days of the overview, oldest first: today and the seven before. */
const shownDays = (): string[] =>
  Array.from({ length: 8 }, (_, index) =>
    new Date(Date.now() - (7 - index) * DAY_MILLISECONDS).toISOString().slice(0, 10),
  )
