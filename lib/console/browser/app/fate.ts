import type { Change } from '../api/client.ts'
import { isDecided } from '../identities/is-decided.ts'
import { isModerated } from '../listings/moderate.ts'
import { readPerson } from '../people/read-person.ts'

/** The fate of a change whose answer was lost: it arrived, another came before it, or it may be sent again. */
export type Fate = 'arrived' | 'overtaken' | 'open'

type Find = (id: string, change: Change, seenAt: string | undefined) => Promise<Fate>

/** Changes whose arrival is read before they are sent again. Reports can be closed twice: the second time changes none. */
const FATES: readonly (readonly [path: RegExp, find: Find])[] = [
  [/^\/listings\/([^/]+)\/moderate$/, async (id, change) => arrivedIf(await isModerated(id, change))],
  [/^\/auth\/kyc()$/, async (_, change) => arrivedIf(await isDecided(change))],
  [/^\/admin\/users\/([^/]+)$/, findBan],
]

const arrivedIf = (isArrived: boolean): Fate => (isArrived ? 'arrived' : 'open')

/** A ban is conditional on no version: sent twice, it could outdo what another decided between. */
async function findBan(id: string, { body }: Change, seenAt: string | undefined): Promise<Fate> {
  const { status, updatedAt } = await readPerson(id)
  if ('status' in body && body.status === status) return 'arrived'
  return updatedAt === seenAt ? 'open' : 'overtaken'
}

/** Returns the fate of a change. */
export async function fateOf(change: Change, seenAt: string | undefined): Promise<Fate> {
  for (const [path, find] of FATES) {
    const [matched, id = ''] = path.exec(change.path) ?? []
    if (matched !== undefined) return find(id, change, seenAt)
  }
  return 'open'
}
