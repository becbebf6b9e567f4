import { isDeepStrictEqual } from 'node:util'
import type { Account } from '#lib/accounts/account'
import { accountKey, sessionKey, userSessionsEntry } from '#lib/accounts/account.keys'
import { networkMarkIn, withNetwork } from '#lib/accounts/throttle/known-networks'
import { recordsInOrder } from '#lib/dynamo/lists'
import { onTable, type Table } from '#lib/dynamo/table'
import { unixSeconds } from '#lib/kernel/clock'
import { SessionId } from '#lib/kernel/id'
import { displacedSessions, listedUntilSeconds, SESSIONS_MAX, Session } from './session.ts'
import type { SessionReader, SessionStore } from './session-store.ts'

/** Opens the sessions in the one table, each an item of its own; the account says which of them live. */
const openSessions = (table: Table): SessionStore => ({
  get: async (id) => {
    const item = await table.get(sessionKey(id))
    return item && Session.parse(item)
  },
  many: (ids) => recordsInOrder(table, ids, keyOf, Session),
  replace: (seen, next) =>
    table.put(sessionItem(next), {
      // A refresh changes the generation, a step-up its own time: `authTimeSeconds` may stay within one second.
      when: { equals: { generation: seen.generation, steppedUpAt: seen.steppedUpAt } },
    }),
  begin: (account, session, now, factors) => {
    const displaced = displacedSessions(account.sessions, now)
    const { set, remove } = useOf(account, session, now)
    const isSame = isDeepStrictEqual(factors, account.factors)
    return [
      table.update(accountKey(account.id), {
        set: { ...set, ...(isSame ? {} : { factors, version: account.version + 1 }) },
        remove: [...remove, ...displaced.map((id) => `sessions.${id}`)],
        // Of simultaneous sign-ins beyond the fifty, each ends another session.
        when: {
          equals: {
            version: account.version,
            ...Object.fromEntries(displaced.map((id) => [`sessions.${id}`, account.sessions[id]])),
          },
          sizesBelow: { sessions: SESSIONS_MAX + displaced.length },
        },
      }),
      table.put(sessionItem(session), { when: 'absent' }),
      ...displaced.map((id) => table.remove(keyOf(id))),
    ]
  },
  noteUse: (account, session, now) =>
    table.update(accountKey(account.id), {
      ...useOf(account, session, now),
      when: { equals: { version: account.version } },
    }),
  endOnce: (account, id) => [
    table.update(accountKey(account.id), {
      set: {},
      remove: [`sessions.${id}`],
      when: { equals: { [`sessions.${id}`]: account.sessions[id] } },
    }),
    table.remove(sessionKey(id)),
  ],
  commit: table.commit,
})

/** Returns what the account notes of a session's use: until when it lists the session, and the network. */
function useOf(account: Account, { id, createdAt, ipAddress }: Session, now: Date) {
  const newest = withNetwork(account, ipAddress, now)
  const dropped = Object.keys(account.knownNetworks).filter((mark) => !(mark in newest))
  return {
    set: {
      [`sessions.${id}`]: listedUntilSeconds(createdAt, now),
      [`knownNetworks.${networkMarkIn(account, ipAddress)}`]: unixSeconds(now),
    },
    remove: dropped.map((mark) => `knownNetworks.${mark}`),
  }
}

/** Returns a session as it is stored. */
export const sessionItem = (session: Session) => ({
  ...sessionKey(session.id),
  ...userSessionsEntry(session.userId, session.id),
  kind: 'session',
  ...session,
})

const keyOf = (id: string) => sessionKey(SessionId.parse(id))

/** The session store, as a dependency of functions. */
export const sessions = onTable(openSessions, { reads: ['SESSION'], writes: ['SESSION', 'USER'] })

export const sessionReader = onTable((table): SessionReader => openSessions(table), { reads: ['SESSION'] })
