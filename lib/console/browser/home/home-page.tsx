import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { always, useLoad } from '../api/use-load.ts'
import { linkTo } from '../app/router.ts'
import { count } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { Ago, Section } from '../parts/text.tsx'
import { lackedRole } from '../session/session.ts'
import { words } from '../words/words.ts'
import { PaymentCharts } from './payment-charts.tsx'
import { SignUps } from './sign-ups.tsx'

type Overview = Schema<'Overview'>
type Queue = keyof Overview['waiting']

/** What waits and since when, and what the last days brought; asked for every ten seconds. */
export function HomePage() {
  const overview = useLoad<Overview>('overview', () => read(api.GET('/admin/overview')), always)
  const attention = useLoad(
    'attention',
    async () =>
      lackedRole('payments') === undefined
        ? read(api.GET('/admin/payments', { params: { query: { attention: 'true', limit: 100 } } }))
        : undefined,
    always,
  )
  return (
    <>
      <header class="page-header">
        <h1>{words.nav.home}</h1>
      </header>
      <Loaded of={overview}>
        {({ waiting, payments, signUps }) => (
          <>
            <Section title={words.home.waiting}>
              <ul class="tiles">
                {QUEUES.map(([name, title, link]) => {
                  const queue = waiting[name]
                  return queue && <Tile key={name} title={title} link={link} {...queue} />
                })}
                {attention.value && (
                  <Tile
                    title={words.home.attention}
                    link={linkTo('payments', undefined, { attention: 'true' })}
                    count={attention.value.items.length}
                    hasMore={attention.value.nextCursor !== null}
                    oldestAt={oldestOf(attention.value.items)}
                  />
                )}
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
  ['refunds', words.home.refunds, linkTo('payments')],
]

type TileProps = { title: string; link: string; count: number; oldestAt: string | null; hasMore?: boolean }

const Tile = ({ title, link, count: waiting, oldestAt, hasMore = false }: TileProps) => (
  <li>
    <a href={link} class={waiting === 0 ? 'tile calm' : 'tile'}>
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

/** The time since which the first of some payments needs someone. */
const oldestOf = (payments: readonly Pick<Schema<'AdministeredPayment'>, 'attention'>[]): string | null =>
  payments.flatMap(({ attention }) => attention.map(({ at }) => at)).sort()[0] ?? null

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** The UTC days of the overview, oldest first: today and the seven before. */
const shownDays = (): string[] =>
  Array.from({ length: 8 }, (_, index) =>
    new Date(Date.now() - (7 - index) * DAY_MILLISECONDS).toISOString().slice(0, 10),
  )
