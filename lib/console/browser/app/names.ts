import { signal } from '@preact/signals'

type Known = { name: string; isFallback: boolean }

const names = signal<ReadonlyMap<string, Known>>(new Map())

/** Returns the name of an id, if an answer of the API contained it since the page was loaded. */
export const nameOf = (id: string): string | undefined => names.value.get(id)?.name

/** Learns the names of people and listings from an answer, for pages that have only their ids. */
export function learnNames(answer: unknown): void {
  const before = names.peek()
  const fresh = namesIn(answer).filter(([id, { name, isFallback }]) => {
    const known = before.get(id)
    if (known === undefined) return true
    const replacesOwnName = isFallback && !known.isFallback
    return known.name !== name && !replacesOwnName
  })
  if (fresh.length > 0) names.value = new Map([...before, ...fresh])
}

/**
 * Finds the ids and names of people and listings at any depth of a value. `isFallback` marks an agent's public name or
 * an e-mail address: neither replaces a person's own name.
 */
function namesIn(value: unknown): [string, Known][] {
  if (typeof value !== 'object' || value === null) return []
  const { id, userId, name, displayName, title, email } = value as Record<string, unknown>
  const named = [id, userId].find((one) => typeof one === 'string' && /^(usr|lst)_/.test(one))
  const own = [name, title].find((one) => typeof one === 'string' && one !== '')
  const known = own ?? [displayName, email].find((one) => typeof one === 'string')
  return [
    ...(named !== undefined && known !== undefined
      ? [[`${named}`, { name: `${known}`, isFallback: own === undefined }] satisfies [string, Known]]
      : []),
    ...Object.values(value).flatMap(namesIn),
  ]
}
