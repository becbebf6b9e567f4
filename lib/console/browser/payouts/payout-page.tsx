import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { useLoad } from '../api/use-load.ts'
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
import { UnlessDecisionUnsent } from '../parts/unless-decision-unsent.tsx'
import { AgentLink } from '../people/agent-name.tsx'
import { mayDo } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { PayoutActions } from './payout-actions.tsx'
import { needsSomeone } from './waiting-payouts.ts'

type Payout = Schema<'Payout'>

/** One payout: to whom, how, who made and approved it, and what may follow. */
export function PayoutPage({ id }: { id: string }) {
  const payout = useLoad<Payout>(`payout ${id}`, () =>
    read(api.GET('/admin/payouts/{id}', { params: { path: { id } } })),
  )
  useKeys([{ keys: 'n', does: words.common.next, run: () => goToNext('payouts', id) }])
  return (
    <>
      <nav class="trail">
        <a href={linkTo('payouts')}>{words.nav.payouts}</a>
        <Claim subject={id} />
      </nav>
      <Loaded of={payout}>
        {(value) => (
          <>
            <header class="page-header">
              <Title>{money(value.amount, value.currency)}</Title>
              <Status tone={toneOf(value.status)}>{codes.payoutStatus[value.status]}</Status>
              {mayDo('payments') && needsSomeone(value) && <ToForm>{words.payouts.decide}</ToForm>}
            </header>
            {needsSomeone(value) && <p class="notice warn">{adviceOn(value)}</p>}
            <div class="split">
              <Section title={words.payouts.payout}>
                <PayoutFacts of={value} />
              </Section>
              {mayDo('payments') && (
                <UnlessDecisionUnsent subjects={[id]}>
                  <PayoutActions payout={value} />
                </UnlessDecisionUnsent>
              )}
            </div>
          </>
        )}
      </Loaded>
    </>
  )
}

/** Returns the advice on a payout that needs an administrator. A FAILED one needs them only if it was paid after all. */
const adviceOn = ({ status, needsResolution }: Payout): string => {
  if (status === 'AWAITING_APPROVAL') return words.payouts.toApprove
  if (status === 'FAILED') return words.payouts.paidAfterFailure
  return needsResolution ? words.payouts.toResolve : words.payouts.toPay
}

const PayoutFacts = ({ of }: { of: Payout }) => (
  <Facts
    items={[
      [words.listings.agent, <AgentLink key="agent" id={of.agentId} />],
      [words.payouts.method, of.provider ?? words.payouts.methods[of.method]],
      [words.payouts.account, `•••• ${of.account}`],
      [words.payouts.reference, of.reference && <Id key="reference">{of.reference}</Id>],
      [words.payouts.failure, of.failure && `${of.failure.code}: ${of.failure.message}`],
      [words.payouts.createdBy, of.createdBy],
      [words.payouts.approvedBy, of.approvedBy],
      [words.payments.created, <Time key="created" at={of.createdAt} />],
      [words.payouts.updated, <Time key="updated" at={of.updatedAt} />],
      [
        words.people.journal,
        <PageLink key="journal" page="journal" filters={{ subject: of.id }}>
          {words.nav.journal}
        </PageLink>,
      ],
      ['Id', <SubjectLink key="id" id={of.id} />],
    ]}
  />
)
