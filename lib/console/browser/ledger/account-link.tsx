import { PageLink } from '../parts/text.tsx'
import { AgentLink } from '../people/agent-name.tsx'

const AGENT = 'agent:'

/** An account of the ledger: an agent's by their name, leading to their balances; any other to its postings. */
export function AccountLink({ name }: { name: string }) {
  if (name.startsWith(AGENT)) return <AgentLink id={name.slice(AGENT.length)} />
  return name === 'agents' ? (
    <span>{name}</span>
  ) : (
    <PageLink page="ledger" filters={{ account: name }}>
      {name}
    </PageLink>
  )
}
