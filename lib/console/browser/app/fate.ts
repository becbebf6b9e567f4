import { api, type Change, read } from '../api/client.ts'
import { isDecided } from '../identities/is-decided.ts'
import { isModerated } from '../listings/moderate.ts'
import { readPerson } from '../people/read-person.ts'
import { versionOf } from '../webhooks/version.ts'

/** The fate of a change whose answer was lost: it arrived, another came before it, or it may be sent again. */
export type Fate = 'arrived' | 'overtaken' | 'open'

type Find = (id: string, change: Change, seenVersion: string | undefined) => Promise<Fate>

/**
 * The functions that read the fate of a change, by its path. All other changes may be sent again: they carry an idempotency
 * key, or change nothing the second time.
 */
const FATES: readonly (readonly [path: RegExp, find: Find])[] = [
  [/^\/listings\/([^/]+)\/moderate$/, async (id, _, seen) => arrivedIf(await isModerated(id, seen))],
  // The path has no id: the person is named in the body.
  [/^\/auth\/kyc()$/, async (_, change, seen) => arrivedIf(await isDecided(change, seen))],
  [
    /^\/admin\/users\/([^/]+)$/,
    async (id, { body = {} }, seen) => {
      const person = await readPerson(id)
      const { status, listingLimits } = person
      return fateBy({ status, listingLimits }, body, person.updatedAt, seen)
    },
  ],
  [
    /^\/admin\/webhooks\/([^/]+)$/,
    async (id, { method, body = {} }, seen) => {
      if (method === 'DELETE') return 'open'
      const webhook = await read(api.GET('/admin/webhooks/{id}', { params: { path: { id } } }))
      return fateBy(webhook, body, versionOf(webhook), seen)
    },
  ],
]

/** Returns the fate of a change with an `ETag`: the API refuses it where another change came before it. */
const arrivedIf = (isArrived: boolean): Fate => (isArrived ? 'arrived' : 'open')

/** Returns the fate of a change without an `ETag`: sending it again could undo what another decided since. */
function fateBy(current: object, wanted: object, version: string, seen: string | undefined): Fate {
  const fields = new Map(Object.entries(wanted))
  const present = Object.entries(current).filter(([name]) => fields.has(name))
  const isThere = present.every(([name, value]) => isSame(value, fields.get(name)))
  if (isThere) return 'arrived'
  return version === seen ? 'open' : 'overtaken'
}

/** Whether two values are the same; a field that is null counts as left out. */
const isSame = (one: unknown, other: unknown): boolean => spelled(one) === spelled(other)

/** Writes a value as text: the fields of objects are sorted, and those that are null are left out. */
const spelled = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, field]) => field !== null)
            .sort(([a], [b]) => a.localeCompare(b)),
        )
      : part,
  )

/** Returns the fate of a change. */
export async function fateOf(change: Change, seenVersion: string | undefined): Promise<Fate> {
  for (const [path, find] of FATES) {
    const [matched, id = ''] = path.exec(change.path) ?? []
    if (matched !== undefined) return find(id, change, seenVersion)
  }
  return 'open'
}
