import type { Schema } from '../api/schemas.ts'
import { useLoad } from '../api/use-load.ts'
import { linkTo } from '../app/router.ts'
import { count } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { Facts, Section, Status, Time } from '../parts/text.tsx'
import { toneOf } from '../parts/tones.ts'
import { readPerson } from '../people/read-person.ts'
import { lackedRole } from '../session/session.ts'
import { codes, words } from '../words/words.ts'

type Props = { agent: Schema<'Listing'>['agent'] }

/**
 * The agent of a listing: identity, account and other listings. A reader without the role for people sees the names, and
 * a link to the listings.
 */
export const AgentStanding = ({ agent }: Props) => (
  <Section title={words.listings.standing}>
    {lackedRole('people') === undefined ? (
      <FullFacts agent={agent} />
    ) : (
      <Facts
        items={[
          [words.people.displayName, publicNameOf(agent)],
          [
            words.listings.otherListings,
            <a key="listings" href={linkTo('listings', undefined, { agent: agent.userId })}>
              {words.nav.listings}
            </a>,
          ],
        ]}
      />
    )}
  </Section>
)

const publicNameOf = ({ displayName, agency }: Props['agent']): string =>
  [displayName, agency].filter(Boolean).join(' · ')

/** Names each status that has listings, with their number. */
const countsText = (counts: Schema<'UserInFull'>['counts']['listings']): string =>
  Object.entries(counts)
    .filter(([, number]) => number > 0)
    .map(([status, number]) => `${codes.listingStatus[status as Schema<'ListingStatus'>]} ${count(number)}`)
    .join(' · ')

function FullFacts({ agent }: Props) {
  const person = useLoad(`person ${agent.userId}`, () => readPerson(agent.userId))
  return (
    <Loaded of={person}>
      {({ name, kycStatus, status, createdAt, decisions, counts }) => (
        <Facts
          items={[
            [
              words.people.name,
              <a key="name" href={linkTo('people', agent.userId)}>
                {name ?? agent.displayName}
              </a>,
            ],
            [words.people.displayName, publicNameOf(agent)],
            [
              words.people.identity,
              <Status key="kyc" tone={toneOf(kycStatus)}>
                {lackedRole('identities') === undefined ? (
                  <a href={linkTo('identities', agent.userId)}>{codes.kycStatus[kycStatus]}</a>
                ) : (
                  codes.kycStatus[kycStatus]
                )}
              </Status>,
            ],
            [
              words.people.account,
              <Status key="a" tone={toneOf(status)}>
                {codes.accountStatus[status]}
              </Status>,
            ],
            [words.people.joined, <Time key="at" at={createdAt} />],
            [words.people.decisions, decisions.length],
            [
              words.listings.otherListings,
              <a key="listings" href={linkTo('listings', undefined, { agent: agent.userId })}>
                {countsText(counts.listings)}
              </a>,
            ],
          ]}
        />
      )}
    </Loaded>
  )
}
