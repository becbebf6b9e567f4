import { api, read } from '../api/client.ts'
import { always, useLoad } from '../api/use-load.ts'
import { Claim } from '../app/claim.tsx'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { priceText } from '../listings/listing-texts.ts'
import { readListing } from '../listings/read-listing.ts'
import { Loaded } from '../parts/states.tsx'
import { Facts, Section, Status } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, words } from '../words/words.ts'
import { CloseReports } from './close-reports.tsx'
import { ReportsOf } from './reports-of.tsx'

/** The open reports of one listing, and closing them; the listing itself is moderated on its own page. */
export function ReportedListingPage({ id }: { id: string }) {
  const listing = useLoad(`listing ${id}`, () => readListing(id))
  const newest = useLoad(
    `newest report ${id}`,
    async () => {
      const params = { path: { listingId: id }, query: { limit: 100 } }
      const { items } = await read(api.GET('/admin/reports/{listingId}', { params }))
      return (
        items
          .map(({ at }) => at)
          .sort()
          .at(-1) ?? ''
      )
    },
    always,
  )
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('reports', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('reports')}>{words.nav.reports}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={listing}>
        {({ value }) => (
          <>
            <header class="page-header">
              <Title>{value.title ?? words.listings.untitled}</Title>
              <Status tone={toneOf(value.status)}>{codes.listingStatus[value.status]}</Status>
            </header>
            <div class="split">
              <div>
                <Section title={words.reports.said}>
                  <ReportsOf listingId={id} />
                </Section>
                <Section title={words.listings.listing}>
                  <Facts
                    items={[
                      [words.listings.price, priceText(value)],
                      [
                        words.listings.agent,
                        <a key="agent" href={linkTo('people', value.agent.userId)}>
                          {value.agent.displayName}
                        </a>,
                      ],
                      [
                        words.listings.listing,
                        <a key="listing" href={linkTo('listings', id)}>
                          {words.reports.toListing}
                        </a>,
                      ],
                    ]}
                  />
                </Section>
              </div>
              {newest.value && (
                <CloseReports
                  id={id}
                  upTo={newest.value}
                  reload={newest.reload}
                  close={(body) =>
                    read(
                      api.PATCH('/admin/reports/{listingId}', { params: { path: { listingId: id } }, body }),
                    )
                  }
                  done={() => goToNext('reports', id)}
                />
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}
