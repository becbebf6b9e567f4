import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { pollAlways, useLoad } from '../api/use-load.ts'
import { Claim } from '../app/claim.tsx'
import { useKeys } from '../app/keys.ts'
import { goToNext } from '../app/queue.ts'
import { linkTo } from '../app/router.ts'
import { money } from '../parts/format.ts'
import { Loaded } from '../parts/states.tsx'
import { Facts, Id, PageLink, Section, Status, SubjectLink, Time } from '../parts/text.tsx'
import { Title } from '../parts/title.tsx'
import { ToForm } from '../parts/to-form.tsx'
import { toneOf } from '../parts/tones.ts'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { CallbackTable } from './callback-table.tsx'
import { ChargeList } from './charge-list.tsx'
import { Disputes } from './disputes.tsx'
import { Ledger } from './ledger.tsx'
import { RefundForm } from './refund-form.tsx'
import { RefundList } from './refund-list.tsx'
import { Timeline } from './timeline.tsx'

type Payment = Schema<'PaymentInFull'>

/** One payment: what needs an administrator and what to do, its timeline, its money and its refunds. */
export function PaymentPage({ id }: { id: string }) {
  const payment = useLoad<Payment>(
    `payment ${id}`,
    () => read(api.GET('/admin/payments/{id}', { params: { path: { id } } })),
    pollAlways,
  )
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('payments', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('payments')}>{words.nav.payments}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={payment}>
        {(value) => (
          <>
            <header class="page-header">
              <Title>{money(value.amount, value.currency)}</Title>
              <Status tone={toneOf(value.status)}>{codes.paymentStatus[value.status]}</Status>
              {mayDo('payments') && <ToForm>{words.payments.refund}</ToForm>}
            </header>
            <Attention of={value.attention} />
            <div class="split">
              <div>
                <Section title={words.payments.payment}>
                  <PaymentFacts of={value} />
                </Section>
                <Section title={words.payments.timeline}>
                  <Timeline of={value} />
                </Section>
                <ChargeList of={value} />
                <RefundList payment={value} />
                <Disputes of={value} />
                <Section title={words.payments.callbacks} of={value.callbacks.length}>
                  <CallbackTable items={value.callbacks} />
                </Section>
                <Ledger of={value.ledger} />
              </div>
              {mayDo('payments') && <RefundForm payment={value} />}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

const Attention = ({ of }: { of: Payment['attention'] }) => (
  <>
    {of.map(({ code, at }) => (
      <div key={code} class="notice warn">
        <p>
          <b>{codes.attention[code].title}</b> <Time at={at} />
        </p>
        <p>{codes.attention[code].advice}</p>
      </div>
    ))}
  </>
)

const PaymentFacts = ({ of: payment }: { of: Payment }) => {
  const { user, userId, listing, listingId, amountRefunded, amountDisputed, currency, failure } = payment
  return (
    <Facts
      items={[
        [
          words.payments.payer,
          <PageLink key="payer" page="people" id={userId}>
            {user?.name ?? user?.email ?? userId}
          </PageLink>,
        ],
        [words.payments.purpose, codes.purpose[payment.purpose]],
        [
          words.payments.listing,
          listingId && (
            <PageLink key="listing" page="listings" id={listingId}>
              {listing?.title ?? listingId}
            </PageLink>
          ),
        ],
        [
          words.listings.agent,
          listing?.agent && (
            <PageLink key="agent" page="ledger" id={listing.agent.userId}>
              {listing.agent.displayName}
            </PageLink>
          ),
        ],
        [words.payments.provider, payment.provider],
        [
          words.payments.reference,
          payment.providerReference && <Id key="ref">{payment.providerReference}</Id>,
        ],
        [words.payments.refunded, amountRefunded > 0 ? money(amountRefunded, currency) : null],
        [words.payments.disputed, amountDisputed > 0 ? money(amountDisputed, currency) : null],
        [words.payments.failure, failure && `${failure.code}: ${failure.message}`],
        [words.payments.receipt, payment.receiptNumber],
        [
          words.payments.metadata,
          payment.metadata &&
            Object.entries(payment.metadata)
              .map(([name, value]) => `${name}: ${value}`)
              .join(' · '),
        ],
        [words.payments.created, <Time key="at" at={payment.createdAt} />],
        ['Id', <SubjectLink key="id" id={payment.id} />],
      ]}
    />
  )
}
