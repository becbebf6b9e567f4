import { api, read } from '../api/client.ts'
import { useLoad } from '../api/use-load.ts'
import { linkTo } from '../app/router.ts'
import { Loaded } from '../parts/states.tsx'
import { Facts, Id, Section, SubjectLink, Time } from '../parts/text.tsx'
import { words } from '../words/words.ts'

/** One event: what happened, to what, and what was said of it. */
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
              <h1>{type}</h1>
            </header>
            <Section title={words.journal.details}>
              <Facts
                items={[
                  [words.journal.at, <Time key="at" at={at} />],
                  [words.journal.subject, <SubjectLink key="subject" id={subject} />],
                  ...Object.entries(data).map(
                    ([name, value]) =>
                      [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
                  ),
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
