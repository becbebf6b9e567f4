import type { Schema } from '../api/schemas.ts'
import { pollAlways, useLoad } from '../api/use-load.ts'
import { linkTo } from '../app/router.ts'
import { PastDecisions } from '../identities/past-decisions.tsx'
import { AgentBalances } from '../ledger/agent-balances.tsx'
import { readAgentAccount } from '../ledger/read-agent-account.ts'
import { count } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { Facts, Id, PageLink, Section, Status, Time } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { ToForm } from '../parts/to-form.tsx'
import { toneOf } from '../parts/tones.ts'
import { lackedRole, mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { Ban } from './ban.tsx'
import { ListingLimits } from './limits.tsx'
import { readPerson } from './read-person.ts'
import { SecondFactorRemoval } from './second-factor.tsx'

type Person = Schema<'UserInFull'>

/** Everything about one person that administrators may know, the ban, and an agent's limits. */
export function PersonPage({ id }: { id: string }) {
  const person = useLoad(`person ${id}`, () => readPerson(id), pollAlways)
  return (
    <>
      <nav class="trail">
        <a href={linkTo('people')}>{words.nav.people}</a>
      </nav>
      <Loaded of={person}>
        {(value) => (
          <>
            <header class="page-header">
              <Title>{value.name ?? value.email}</Title>
              <Status tone={toneOf(value.status)}>{codes.accountStatus[value.status]}</Status>
              <PageLink page="identities" id={id}>
                <Status tone={toneOf(value.kycStatus)}>{codes.kycStatus[value.kycStatus]}</Status>
              </PageLink>
              {mayDo('support') && <ToForm>{words.people.account}</ToForm>}
            </header>
            <div class="split">
              <div>
                {value.banReason !== null && (
                  <p class="notice warn" dir="auto">
                    {words.people.banReason}: {value.banReason}
                  </p>
                )}
                <Section title={words.identities.person}>
                  <PersonFacts of={value} />
                </Section>
                <Section title={words.people.has}>
                  <Counts of={value} />
                </Section>
                {value.agent !== null && maySeeLedger() && <Money agentId={id} />}
                <PastDecisions of={value.decisions} />
              </div>
              {mayDo('support') && (
                <div>
                  <Ban person={value} />
                  <SecondFactorRemoval person={value} />
                  {value.agent && <ListingLimits person={value} />}
                </div>
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

/** Whether the reader may see the ledger: with the role for it, or as an auditor. */
const maySeeLedger = (): boolean => lackedRole('ledger') === undefined

/** An agent's balance, with a link to their payouts. */
function Money({ agentId }: { agentId: string }) {
  const account = useLoad(`agent account ${agentId}`, () => readAgentAccount(agentId))
  return (
    <Section
      title={words.ledger.balances}
      aside={<a href={linkTo('ledger', agentId)}>{words.nav.payouts}</a>}
    >
      <Loaded of={account}>{(value) => <AgentBalances {...value} />}</Loaded>
    </Section>
  )
}

const PersonFacts = ({ of: { agent, ...user } }: { of: Person }) => (
  <Facts
    items={[
      [
        words.people.email,
        `${user.email} · ${user.emailVerified ? words.people.verified : words.people.notVerified}`,
      ],
      [words.people.phone, user.phone],
      [words.people.displayName, agent?.displayName],
      [words.people.agency, agent?.agency],
      [words.people.licence, agent?.licenseNumber],
      ['Bio', agent?.bio],
      [words.people.language, codes.language[user.locale]],
      [words.people.joined, <Time key="at" at={user.createdAt} />],
      [words.people.provenAt, user.provenAt && <Time key="proven" at={user.provenAt} />],
      [words.people.bannedAt, user.bannedAt && <Time key="banned" at={user.bannedAt} />],
      ['Id', <Id key="id">{user.id}</Id>],
    ]}
  />
)

/** Numbers that lead to what they count. */
const Counts = ({ of: { id, counts } }: { of: Person }) => (
  <Facts
    items={[
      ...(Object.entries(counts.listings) as [Schema<'ListingStatus'>, number][])
        .filter(([, number]) => number > 0)
        .map(
          ([status, number]) =>
            [
              `${words.nav.listings}: ${codes.listingStatus[status]}`,
              <PageLink key={status} page="listings" filters={{ agent: id, status }}>
                {count(number)}
              </PageLink>,
            ] as const,
        ),
      [
        words.people.payments,
        <PageLink key="payments" page="payments" filters={{ userId: id }}>
          {count(counts.payments)}
        </PageLink>,
      ],
      [words.people.enquiries, count(counts.enquiries)],
      [words.people.reports, count(counts.reports)],
      [
        words.people.journal,
        <PageLink key="journal" page="journal" filters={{ subject: id }}>
          {words.nav.journal}
        </PageLink>,
      ],
    ]}
  />
)
