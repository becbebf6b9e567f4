import { api, read } from '../api/client.ts'
import { useLoad } from '../api/use-load.ts'
import { Grounds } from '../parts/grounds.tsx'
import { NameLink } from '../parts/name-link.tsx'
import { Loaded } from '../parts/states.tsx'
import { Section, Time } from '../parts/text.tsx'
import { codes, words } from '../words/words.ts'

const STATES: Readonly<Record<string, string>> = { ...codes.listingStatus, ...codes.availability }

/** Every change of a listing's status or availability: from what, to what, by whom and why. */
export function ListingHistory({ id, version }: { id: string; version: string }) {
  const history = useLoad(`history ${id} ${version}`, () =>
    read(api.GET('/listings/{id}/history', { params: { path: { id } } })),
  )
  return (
    <Section title={words.listings.history}>
      <Loaded of={history}>
        {({ items }) => (
          <ol class="history">
            {items.map(({ from, to, at, by, ...grounds }) => (
              <li key={`${at} ${to}`}>
                <b>
                  {STATES[from] ?? from} → {STATES[to] ?? to}
                </b>{' '}
                <Time at={at} />{' '}
                <span class="quiet">
                  <NameLink id={by} />
                </span>
                <Grounds of={grounds} about="listing" />
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Section>
  )
}
