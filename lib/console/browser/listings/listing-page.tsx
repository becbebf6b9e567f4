import { useLoad } from '../api/use-load.ts'
import { Claim } from '../app/claim.tsx'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { Loaded } from '../parts/states.tsx'
import { Ago, Section, Status } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { toneOf } from '../parts/tones.ts'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { AgentStanding } from './agent-standing.tsx'
import { ListingHistory } from './listing-history.tsx'
import { ListingMap } from './listing-map.tsx'
import { withRevision } from './listing-texts.ts'
import { ModerationForm } from './moderation.tsx'
import { OpenReports } from './open-reports.tsx'
import { Preview } from './preview.tsx'
import { readListing } from './read-listing.ts'
import { Revision } from './revision.tsx'
import { Statistics } from './statistics.tsx'

/** One listing: as customers will see it, what its agent wants to change, who the agent is, and the decision. */
export function ListingPage({ id }: { id: string }) {
  const listing = useLoad(`listing ${id}`, () => readListing(id))
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('listings', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('listings')}>{words.nav.listings}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={listing}>
        {({ value, etag }) => (
          <>
            <header class="page-header">
              <Title>{value.title ?? words.listings.untitled}</Title>
              <Status tone={toneOf(value.status)}>{codes.listingStatus[value.status]}</Status>
              <span class="quiet">{codes.availability[value.availability]}</span>
              {value.revision && (
                <span class="tag">
                  {words.listings.revision} <Ago at={value.revision.submittedAt} />
                </span>
              )}
            </header>
            <div class="split">
              <div>
                {value.revision && <Revision listing={value} changes={value.revision.changes} />}
                <Preview listing={value.revision ? withRevision(value, value.revision.changes) : value} />
                <Section title={words.listings.map}>
                  <ListingMap location={value.revision?.changes.location ?? value.location} />
                </Section>
                <AgentStanding agent={value.agent} />
                <OpenReports listingId={id} agentId={value.agent.userId} />
                <Statistics id={id} />
                {/* The history is loaded again for each version of the listing. */}
                <ListingHistory id={id} version={etag ?? ''} />
              </div>
              {/* While a decision waits to be sent, its text stands in place of the form. */}
              {mayDo('moderation') && (
                <UnlessDecisionUnsent subjects={[id]}>
                  <ModerationForm listing={value} etag={etag} />
                </UnlessDecisionUnsent>
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}
