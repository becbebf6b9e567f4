import { api, read } from '../api/client.ts'
import { useLoad } from '../api/use-load.ts'
import { linkTo } from '../app/router.ts'
import { detailsInWords } from '../parts/details-in-words.tsx'
import { NameLink } from '../parts/name-link.tsx'
import { Loaded } from '../parts/states.tsx'
import { Facts, Id, Section, Time } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { codes, words } from '../words/words.ts'

/** One event: its type, its subject and its facts. */
export function EventPage({ id }: { id: string }) {
  const event = useLoad(`event ${id}`, () =>
    read(api.GET('/admin/events/{id}', { params: { path: { id } } })),
  )
  return (
    <>
      <nav class="trail">
        <a href={linkTo('events')}>{words.nav.events}</a>
      </nav>
      <Loaded of={event}>
        {({ type, subject, at, data }) => (
          <>
            <header class="page-header">
              <Title>{codes.event[type]}</Title>
            </header>
            <Section title={words.journal.details}>
              <Facts
                items={[
                  [words.journal.at, <Time key="at" at={at} />],
                  [words.journal.subject, <NameLink key="subject" id={subject} />],
                  ...detailsInWords(type, data, subject).map(
                    // A change from one value to another has an empty name.
                    ([name, value]) => [name || words.common.change, value] as const,
                  ),
                  [words.callbacks.type, <Id key="type">{type}</Id>],
                  ['Id', <Id key="id">{id}</Id>],
                ]}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}
