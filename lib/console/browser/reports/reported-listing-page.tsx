import { api, read } from '../api/client.ts'
import { pollAlways, useLoad } from '../api/use-load.ts'
import { Claim } from '../app/claim.tsx'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { priceText } from '../listings/listing-texts.ts'
import { readListing } from '../listings/read-listing.ts'
import { Loaded } from '../parts/states.tsx'
import { Facts, PageLink, Section, Status } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { toneOf } from '../parts/tones.ts'
import { codes, isModerationReason, words } from '../words/words.ts'
import { DecideOnReported } from './decide-on-reported.tsx'
import { ReportsOf } from './reports-of.tsx'

/** The open reports of one listing, and the decision that closes them, which may also suspend the listing. */
export function ReportedListingPage({ id }: { id: string }) {
  const listing = useLoad(`listing ${id}`, () => readListing(id))
  const open = useLoad(
    `open reports ${id}`,
    async () => {
      const params = { path: { listingId: id }, query: { limit: 100 } }
      const { items } = await read(api.GET('/admin/reports/{listingId}', { params }))
      const times = items.map(({ at }) => at).sort()
      return {
        newestAt: times.at(-1),
        // The API types the reason of a stored report as text.
        reasons: [...new Set(items.map(({ reason }) => reason))].filter(isModerationReason),
      }
    },
    pollAlways,
  )
  const { newestAt, reasons } = open.value ?? {}
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('reports', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('reports')}>{words.nav.reports}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={listing}>
        {({ value, etag }) => (
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
                        <PageLink key="agent" page="people" id={value.agent.userId}>
                          {value.agent.displayName}
                        </PageLink>,
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
              {newestAt !== undefined && (
                <DecideOnReported listing={{ value, etag }} upTo={newestAt} reasons={reasons ?? []} />
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}
