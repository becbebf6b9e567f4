import { api, read } from '../api/client.ts'
import { learnNames, nameOf } from '../app/names.ts'
import { lackedRole } from '../session/session.ts'
import { codes, words } from '../words/words.ts'
import { linkToSubject } from './text.tsx'

const KINDS: Readonly<Record<string, string>> = {
  usr: words.kinds.user,
  lst: words.kinds.listing,
  pay: words.kinds.payment,
  enq: words.kinds.enquiry,
  cbk: words.kinds.callback,
  out: words.kinds.payout,
  evt: words.kinds.event,
  whk: words.kinds.webhook,
  mai: words.kinds.mail,
  med: words.kinds.media,
}

/** Lists that the journal names as the subject of an action, such as a view of the list. */
const LISTS: Readonly<Record<string, string>> = {
  ...words.nav,
  kyc: words.nav.identities,
  users: words.nav.people,
  search: words.common.search,
}

const ID = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/

/** Whether a text is an id of anything. */
export const isId = (text: string): boolean => ID.test(text)

/** Returns the name of an id's subject; without a known name, the subject's kind and the end of the id. */
export function nameText(id: string): string {
  const name = nameOf(id)
  if (name !== undefined) return name
  if (!isId(id)) return LISTS[id] ?? codes.otherCode[id] ?? id
  askForName(id)
  const prefix = id.slice(0, 3)
  return `${KINDS[prefix] ?? prefix} …${id.slice(-6)}`
}

/** The name of an id, as a link to its page. */
export function NameLink({ id }: { id: string }) {
  const link = linkToSubject(id)
  const name = <bdi title={isId(id) ? id : undefined}>{nameText(id)}</bdi>
  return link === undefined ? name : <a href={link}>{name}</a>
}

/** The keys of the requests that were made: `people`, or a listing's id. */
const requested = new Set<string>()

/**
 * Loads a listing's name, or the names of the newest 100 people in one request: the journal records each reading of a
 * single person. No request is made twice.
 */
function askForName(id: string): void {
  const page = { usr: 'people', lst: 'listings' }[id.slice(0, 3)]
  const requestKey = page === 'people' ? page : id
  if (page === undefined || requested.has(requestKey) || lackedRole(page) !== undefined) return
  requested.add(requestKey)
  const answer: Promise<unknown> =
    page === 'people'
      ? read(api.GET('/admin/users', { params: { query: { limit: 100 } } }))
      : read(api.GET('/listings/{id}', { params: { path: { id } } }))
  // A thing that is gone, or cannot be reached, is named by its kind.
  answer.then(learnNames).catch(() => undefined)
}
