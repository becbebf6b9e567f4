import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useLoad } from '../api/use-load.ts'
import { Claim } from '../app/claim.tsx'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { MarkedContacts } from '../parts/marked-contacts.tsx'
import { Loaded } from '../parts/states.tsx'
import { Facts, PageLink, Section, Time } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { codes, words } from '../words/words.ts'
import { CloseReports } from './close-reports.tsx'

type Enquiry = Schema<'ReviewedEnquiry'>

/** One reported enquiry: its newest hundred messages, what was reported, and closing the reports. */
export function EnquiryPage({ id }: { id: string }) {
  // Not polled: the journal records each answer as a view of the messages.
  const enquiry = useLoad<Enquiry>(`enquiry ${id}`, () =>
    read(api.GET('/admin/enquiries/{id}', { params: { path: { id }, query: { limit: 100 } } })),
  )
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('enquiries', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('enquiries')}>{words.nav.enquiries}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={enquiry}>
        {(value) => (
          <>
            <header class="page-header">
              <Title>{value.listing.title ?? words.listings.untitled}</Title>
              <span class="quiet">{codes.enquiryStatus[value.status]}</span>
            </header>
            <div class="split">
              <div>
                <Section title={words.nav.enquiries}>
                  <EnquiryFacts of={value} />
                </Section>
                <Reports of={value} />
                <Section title={words.reports.messages}>
                  <Messages of={value} />
                </Section>
              </div>
              <Close enquiry={value} />
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

function Close({ enquiry }: { enquiry: Enquiry }) {
  const upTo = enquiry.reports
    .filter(({ closedAt }) => closedAt === null)
    .map(({ at }) => at)
    .sort()
    .at(-1)
  if (upTo === undefined) return null
  const { id } = enquiry
  return (
    <CloseReports
      id={id}
      title={enquiry.listing.title ?? words.listings.untitled}
      page="enquiries"
      upTo={upTo}
      path={`/admin/enquiries/${id}/reports`}
    />
  )
}

const SIDES = { customer: words.reports.customer, agent: words.reports.agent }

const nameOf = ({ customer, agent }: Enquiry, side: 'customer' | 'agent'): string =>
  (side === 'customer' ? customer?.name : agent?.displayName) ?? words.reports.gone

/** The listing of the enquiry, and its people. */
const EnquiryFacts = ({ of: { listing, customer, agent, visit } }: { of: Enquiry }) => (
  <Facts
    items={[
      [
        words.listings.listing,
        <PageLink key="listing" page="listings" id={listing.id}>
          {listing.title ?? words.listings.untitled}
        </PageLink>,
      ],
      [
        words.reports.customer,
        customer === null ? (
          words.reports.gone
        ) : (
          <PageLink key="customer" page="people" id={customer.userId}>
            {customer.name ?? words.kinds.user}
          </PageLink>
        ),
      ],
      [
        words.reports.agent,
        agent === null ? (
          words.reports.gone
        ) : (
          <PageLink key="agent" page="people" id={agent.userId}>
            {agent.displayName}
          </PageLink>
        ),
      ],
      [codes.detail['visitAt'] ?? '', visit && <Time key="visit" at={visit.at} />],
    ]}
  />
)

const Reports = ({ of: enquiry }: { of: Enquiry }) => (
  <Section title={words.nav.reports} of={enquiry.reports.length}>
    <ol class="history">
      {enquiry.reports.map(({ reason, text, at, from, closedAt, outcome }) => (
        <li key={`${at} ${from}`}>
          <b>{codes.enquiryReason[reason]}</b> <Time at={at} />{' '}
          <span class="quiet">
            {SIDES[from]}: <bdi>{nameOf(enquiry, from)}</bdi>
          </span>
          <p dir="auto">
            <MarkedContacts>{text ?? words.reports.noText}</MarkedContacts>
          </p>
          {closedAt !== null && (
            <p class="quiet">
              {words.reports.closedAs}: {outcome === null ? null : codes.outcome[outcome]}{' '}
              <Time at={closedAt} />
            </p>
          )}
        </li>
      ))}
    </ol>
  </Section>
)

const Messages = ({ of: enquiry }: { of: Enquiry }) => (
  <ol class="messages">
    {enquiry.messages.items.toReversed().map(({ id, from, text, at }) => (
      <li key={id} class={from}>
        <header>
          <b>
            <bdi>{nameOf(enquiry, from)}</bdi>
          </b>{' '}
          <span class="quiet">{SIDES[from]}</span> <Time at={at} />
        </header>
        <p dir="auto" class={text === null ? 'quiet' : ''}>
          <MarkedContacts>{text ?? words.reports.erased}</MarkedContacts>
        </p>
      </li>
    ))}
  </ol>
)
