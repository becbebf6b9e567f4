import { type Signal, signal } from '@preact/signals'
import { api, read } from '../api/client.ts'
import { Id, PageLink } from '../parts/text.tsx'

const names = new Map<string, Signal<string | undefined>>()

/** Returns the public name of an agent, undefined until it is loaded. Each name is requested once. */
function nameOf(id: string): Signal<string | undefined> {
  const known = names.get(id)
  if (known) return known
  const name = signal<string | undefined>(undefined)
  names.set(id, name)
  read(api.GET('/agents/{userId}', { params: { path: { userId: id } } })).then(
    ({ displayName }) => {
      name.value = displayName
    },
    // An agent who is not public has no public name: their id stands for it.
    () => undefined,
  )
  return name
}

/** An agent by their public name, or their id where they have none. */
export const AgentName = ({ id }: { id: string }) => {
  const name = nameOf(id).value
  return name === undefined ? <Id>{id}</Id> : <span>{name}</span>
}

/** An agent's name that leads to their balances. */
export const AgentLink = ({ id }: { id: string }) => (
  <PageLink page="ledger" id={id}>
    <AgentName id={id} />
  </PageLink>
)
