import { computed, signal } from '@preact/signals'

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

/** The parts of an address: the page, its subject, and its filters. */
export const route = computed(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?')
  const [page = '', id] = path.split('/').map(decoded)
  return { page: page || 'home', id, query: new URLSearchParams(query) }
})

/** Returns a part of an address as it was written, or as it is where a mail or a hand has cut it off. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Filters by name, without empty ones. */
export type Filters = Readonly<Record<string, string | undefined>>

/** Returns the address of a page, of one subject of the page, or of a list with filters. */
export function linkTo(page: string, id?: string, filters: Filters = {}): string {
  const set = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const query = new URLSearchParams(set).toString()
  const path = id === undefined ? page : `${page}/${encodeURIComponent(id)}`
  return query === '' ? `#/${path}` : `#/${path}?${query}`
}

/** Shows another page. */
export const go = (link: string): void => {
  location.hash = link
}

/** Shows the same page with other filters. The browser's back button skips the former filters. */
export function refine(filters: Filters): void {
  const { page, id, query } = route.value
  history.replaceState(null, '', linkTo(page, id, { ...Object.fromEntries(query), ...filters }))
  // `replaceState` fires no `hashchange`.
  hash.value = location.hash
}
