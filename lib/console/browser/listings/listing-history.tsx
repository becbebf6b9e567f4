import { api, read } from '../api/client.ts'
import { useLoad } from '../api/use-load.ts'
import { Loaded } from '../parts/states.tsx'
import { Section, Time } from '../parts/text.tsx'
import { codes, reasonLabel, words } from '../words/words.ts'

const STATES: Readonly<Record<string, string>> = { ...codes.listingStatus, ...codes.availability }

/** Every move of a listing: from what, to what, by whom and why. */
export function ListingHistory({ id, version }: { id: string; version: string }) {
  const history = useLoad(`history ${id} ${version}`, () =>
    read(api.GET('/listings/{id}/history', { params: { path: { id } } })),
  )
  return (
    <Section title={words.listings.history}>
      <Loaded of={history}>
        {({ items }) => (
          <ol class="history">
            {items.map(({ from, to, at, by, reasons, message, note }) => (
              <li key={`${at} ${to}`}>
                <b>
                  {STATES[from] ?? from} → {STATES[to] ?? to}
                </b>{' '}
                <Time at={at} /> <span class="quiet">{by}</span>
                {reasons.length > 0 && <p>{reasons.map(reasonLabel).join(' · ')}</p>}
                {message !== null && <p dir="auto">{message}</p>}
                {note !== null && (
                  <p class="quiet" dir="auto">
                    {words.decision.note}: {note}
                  </p>
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  )
}
