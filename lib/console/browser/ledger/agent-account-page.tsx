import { useLoad } from '../api/use-load.ts'
import { linkTo } from '../app/router.ts'
import { Loaded } from '../parts/states.tsx'
import { Facts, Section, SubjectLink } from '../parts/text.tsx'
import { ToForm } from '../parts/to-form.tsx'
import { PayoutForm } from '../payouts/payout-form.tsx'
import { PayoutTable } from '../payouts/payout-table.tsx'
import { AgentName } from '../people/agent-name.tsx'
import { mayDo } from '../session/session.ts'
import { words } from '../words/words.ts'
import { AgentBalances } from './agent-balances.tsx'
import { CorrectionForm } from './correction-form.tsx'
import { readAgentAccount } from './read-agent-account.ts'

/** An agent's balance and payouts, with the actions on them. */
export function AgentAccountPage({ id }: { id: string }) {
  const account = useLoad(`agent account ${id}`, () => readAgentAccount(id))
  return (
    <>
      <nav class="trail">
        <a href={linkTo('ledger')}>{words.nav.ledger}</a>
      </nav>
      <header class="page-header">
        <h1>
          <AgentName id={id} />
        </h1>
        {mayDo('payments') && <ToForm>{words.payouts.create}</ToForm>}
      </header>
      <Loaded of={account}>
        {({ balances, payouts }) => (
          <div class="split">
            <div>
              <Section title={words.ledger.balances}>
                <AgentBalances balances={balances} payouts={payouts} />
              </Section>
              <Section
                title={words.nav.payouts}
                aside={<a href={linkTo('payouts', undefined, { agentId: id })}>{words.payouts.all}</a>}
              >
                <PayoutTable items={payouts} />
              </Section>
              <Section title={words.people.has}>
                <Facts
                  items={[
                    [
                      words.ledger.postings,
                      <a key="postings" href={linkTo('ledger', undefined, { account: `agent:${id}` })}>
                        {words.nav.ledger}
                      </a>,
                    ],
                    [words.identities.person, <SubjectLink key="person" id={id} />],
                  ]}
                />
              </Section>
            </div>
            {mayDo('payments') && (
              <div>
                <PayoutForm agentId={id} balances={balances} />
                <CorrectionForm agentId={id} balances={balances} />
              </div>
            )}
          </div>
        )}
      </Loaded>
    </>
  )
}
