import { useEffect } from 'preact/hooks'
import { type Answer, api, ask } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useLoad } from '../api/use-load.ts'
import { Claim } from '../app/claim.tsx'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { dateTime } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { Ago, Facts, Section, Status, SubjectLink } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { toneOf } from '../parts/tones.ts'
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { IdentityDecision } from './decision.tsx'
import { DocumentViewer } from './document-viewer.tsx'
import { PastDecisions } from './past-decisions.tsx'

type Review = Answer<Schema<'KycReview'>>

/** One person: who they say they are, what proves it, what was decided before, and the decision. */
export function IdentityPage({ id }: { id: string }) {
  // Not polled: the journal records each answer as a view of the documents.
  const review = useLoad<Review>(`identity ${id}`, () =>
    ask(api.GET('/admin/kyc/{userId}', { params: { path: { userId: id } } })),
  )
  useRenewedLinks(review.value?.value.documents ?? [], review.reload)
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('identities', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('identities')}>{words.nav.identities}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={review}>
        {({ value, etag }) => (
          <>
            <header class="page-header">
              <Title>{value.user.name ?? value.user.email}</Title>
              <Status tone={toneOf(value.kycStatus)}>{codes.kycStatus[value.kycStatus]}</Status>
              {value.waitingSince !== null && (
                <span class="quiet">
                  {words.identities.waiting} <Ago at={value.waitingSince} />
                </span>
              )}
            </header>
            <div class="split">
              <div>
                <Documents of={value.documents} />
                <Section title={words.identities.person}>
                  <PersonFacts of={value} />
                </Section>
                <PastDecisions of={value.decisions} />
              </div>
              {/* While a decision waits to be sent, its text stands in place of the form. */}
              {mayDo('identities') && (
                <UnlessDecisionUnsent subjects={[id]}>
                  <IdentityDecision review={value} etag={etag} />
                </UnlessDecisionUnsent>
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

const Documents = ({ of }: { of: readonly Schema<'KycReviewDocument'>[] }) => (
  <Section title={words.identities.documents} of={of.length}>
    {of.length === 0 && <p class="empty">{words.identities.noDocuments}</p>}
    <div class="documents">
      {of.map((document) => (
        <DocumentViewer key={document.id} document={document} />
      ))}
    </div>
  </Section>
)

const PersonFacts = ({ of: { user, agent } }: { of: Schema<'KycReview'> }) => (
  <Facts
    items={[
      [words.people.name, user.name],
      [
        words.people.email,
        `${user.email} · ${user.emailVerified ? words.people.verified : words.people.notVerified}`,
      ],
      [words.people.phone, user.phone],
      [words.people.displayName, agent?.displayName],
      [words.people.agency, agent?.agency],
      [words.people.licence, agent?.licenseNumber],
      [words.people.language, codes.language[user.locale]],
      [words.people.joined, dateTime(user.createdAt)],
      ['Id', <SubjectLink key="id" id={user.id} />],
    ]}
  />
)

/** The time after which links are asked for again that could not be renewed, or whose end a wrong clock has passed. */
const RETRIED_EVERY_MILLISECONDS = 60_000
/** Added to the time left: a timer that fires a little early would find the links still good. */
const SPARE_MILLISECONDS = 500

/** Loads the person again when the links to the documents expire, once the page is visible, until they are renewed. */
function useRenewedLinks(
  documents: readonly Schema<'KycReviewDocument'>[],
  reload: () => Promise<boolean>,
): void {
  const firstEnd = documents.flatMap(({ urlExpiresAt }) => urlExpiresAt ?? []).sort()[0]
  useEffect(() => {
    if (firstEnd === undefined) return
    const millisecondsLeft = () => Date.parse(firstEnd) - Date.now()
    const renew = () => {
      if (millisecondsLeft() <= 0 && document.visibilityState === 'visible') void reload()
    }
    const renewAfter = (milliseconds: number): ReturnType<typeof setTimeout> =>
      setTimeout(() => {
        renew()
        timer = renewAfter(RETRIED_EVERY_MILLISECONDS)
      }, milliseconds)
    let timer = renewAfter(
      millisecondsLeft() > 0 ? millisecondsLeft() + SPARE_MILLISECONDS : RETRIED_EVERY_MILLISECONDS,
    )
    document.addEventListener('visibilitychange', renew)
    addEventListener('online', renew)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', renew)
      removeEventListener('online', renew)
    }
  }, [firstEnd, reload])
}
