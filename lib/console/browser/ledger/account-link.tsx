import { PageLink } from '../parts/text.tsx'
import { AgentLink } from '../people/agent-name.tsx'
import { codes } from '../words/words.ts'

const AGENT = 'agent:'

/** Words for an account by its kind, or a function that puts the provider's name into them. */
const WORDS: Readonly<Record<string, string | ((provider: string) => string)>> = { ...codes.account }

/**
 * An account of the ledger. The account of an agent links to the agent's balances, any other to its postings. `agents`
 * is the sum of all agents' accounts: it has no postings and no link.
 */
export function AccountLink({ name }: { name: string }) {
  if (name.startsWith(AGENT)) return <AgentLink id={name.slice(AGENT.length)} />
  return name === 'agents' ? (
    <span>{accountName(name)}</span>
  ) : (
    <PageLink page="ledger" filters={{ account: name }}>
      {accountName(name)}
    </PageLink>
  )
}

/** Returns an account in the reader's words, with the provider that it belongs to. */
function accountName(account: string): string {
  const [kind = '', provider = ''] = account.split(':')
  const own = WORDS[kind]
  if (own === undefined) return account
  return typeof own === 'string' ? own : own(provider)
}
