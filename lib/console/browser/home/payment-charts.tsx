import type { Schema } from '../api/schemas.ts'
import { linkTo } from '../app/router.ts'
import { money } from '../parts/format.ts'
import { Empty } from '../parts/states.tsx'
import { Section, Status } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'
import { Bars } from './bars.tsx'

type Row = Schema<'OverviewPayments'>
type PaymentStatus = Schema<'PaymentStatus'>

/** Statuses of payments that were paid, even if money went back later. */
const PAID = new Set<PaymentStatus>([
  'SUCCEEDED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'DISPUTED',
  'CHARGED_BACK',
])

/**
 * Payments of the last days: the sum that was paid, by currency, and how many are in each status. A chart leads to the
 * SUCCEEDED payments alone, since the list filters by one status.
 */
export function PaymentCharts({ of, days }: { of: readonly Row[]; days: readonly string[] }) {
  const byCurrency = [...Map.groupBy(of, ({ currency }) => currency)]
  return (
    <Section title={words.home.payments}>
      {of.length === 0 && <Empty>{words.home.none}</Empty>}
      <div class="charts">
        {byCurrency.map(([currency, rows]) => (
          <figure key={currency} class="chart">
            <figcaption>
              <b>{money(sumOf(rows), currency)}</b>
            </figcaption>
            <Bars
              label={`${words.home.paymentsHint}: ${currency}`}
              bars={days.map((date) => ({ date, value: sumOf(rows.filter((row) => row.date === date)) }))}
              textOf={(value) => money(value, currency)}
              link={linkTo('payments', undefined, { status: 'SUCCEEDED' })}
            />
          </figure>
        ))}
      </div>
      <p class="tags">
        {[...Map.groupBy(of, ({ status }) => status)].map(([status, rows]) => (
          <a key={status} href={linkTo('payments', undefined, { status })}>
            <Status tone={toneOf(status)}>
              {codes.paymentStatus[status]} {rows.reduce((sum, { count }) => sum + count, 0)}
            </Status>
          </a>
        ))}
      </p>
    </Section>
  )
}

const sumOf = (rows: readonly Row[]): number =>
  rows.filter(({ status }) => PAID.has(status)).reduce((sum, { amount }) => sum + amount, 0)
