import type { Schema } from '../api/schemas.ts'
import { linkTo } from '../app/router.ts'
import { count } from '../parts/format.ts'
import { words } from '../words/words.ts'
import { Bars } from './bars.tsx'

/** The number of registrations on each of the last days. */
export function SignUps({ of }: { of: readonly Schema<'OverviewSignUps'>[] }) {
  const days = of.toSorted((a, b) => a.date.localeCompare(b.date))
  return (
    <figure class="chart">
      <figcaption>
        <b>{count(days.reduce((sum, day) => sum + day.count, 0))}</b>
      </figcaption>
      <Bars
        label={words.home.signUps}
        bars={days.map(({ date, count: value }) => ({ date, value }))}
        textOf={count}
        link={linkTo('people')}
      />
    </figure>
  )
}
