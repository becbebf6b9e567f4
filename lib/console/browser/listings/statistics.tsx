import { api, read } from '../api/client.ts'
import { useLoad } from '../api/use-load.ts'
import { Bars } from '../home/bars.tsx'
import { count } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { Section } from '../parts/text.tsx'
import { words } from '../words/words.ts'

const COUNTED = ['views', 'favourites', 'enquiries'] as const

/** The views, favourites and enquiries of a listing in the last thirty days. */
export function Statistics({ id }: { id: string }) {
  const statistics = useLoad(`statistics ${id}`, () =>
    read(api.GET('/listings/{id}/statistics', { params: { path: { id } } })),
  )
  return (
    <Section title={words.listings.statistics}>
      <Loaded of={statistics}>
        {({ days, totals }) => (
          <div class="charts">
            {COUNTED.map((name) => (
              <figure key={name} class="chart">
                <figcaption>
                  {words.listings.counted[name]} <b>{count(totals[name])}</b>
                </figcaption>
                <Bars
                  label={words.listings.counted[name]}
                  bars={days.map((day) => ({ date: day.date, value: day[name] }))}
                  textOf={count}
                />
              </figure>
            ))}
          </div>
        )}
      </Loaded>
    </Section>
  )
}
