import { apiKeyKey } from '#lib/accounts/api-keys/api-key.keys'
import { sessionItem } from '#lib/accounts/sessions/session-store.dynamo'
import { onTable, type Table } from '#lib/dynamo/table'
import type { Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { SessionId } from '#lib/kernel/id'
import { WRITES_MAX, type Write } from '#lib/kernel/write'
import { accountKey, emailKey, restorationKey, sessionKey, userListKey } from './account.keys.ts'
import { type Account, emailKeyOf } from './account.ts'
import { openAccountFinder } from './account-reader.dynamo.ts'
import type { AccountStore } from './account-store.ts'
import { eligibilityWrites, logEligibility, withEligibilityRevision } from './eligibility.dynamo.ts'
import { userListEntries } from './user-lists.ts'

/** Opens the accounts in the one table. */
export const openAccounts = (table: Table): AccountStore => {
  const reader = openAccountFinder(table)
  return {
    ...reader,
    storeRestoration: (restoration) =>
      table.put({
        ...restorationKey(restoration.userId, restoration.at),
        kind: 'restoration',
        ...restoration,
      }),
    endSession: (id, session) =>
      table.commit([
        table.update(accountKey(id), {
          set: {},
          remove: [`sessions.${session}`],
          when: 'present',
          otherwise: () => new DomainError('unauthenticated'),
        }),
        table.remove(sessionKey(session)),
      ]),
    insertSession: (session) => table.put(sessionItem(session), { when: 'absent' }),
    insert: (account) => [
      table.put({ ...accountKey(account.id), kind: 'account', ...account }, { when: 'absent' }),
      claimAddress(table, account),
      ...listEntryWrites(table, undefined, account),
    ],
    save: (before, edited, also = []) => {
      const after = withEligibilityRevision(before, { ...edited, version: before.version + 1 })
      const writes: Write[] = [
        table.update(accountKey(before.id), {
          set: changedAttributes(before, after),
          when: { equals: { version: before.version } },
        }),
        ...addressWrites(table, before, after),
        ...listEntryWrites(table, before, after),
        ...eligibilityWrites(table, before, after),
        ...apiKeyRemovals(table, before, after),
        ...also,
      ]
      // A session lives while its account lists it. Items beyond the transaction's limit are removed by their time to live.
      return table.commit([
        ...writes,
        ...sessionRemovals(table, before, after).slice(0, WRITES_MAX - writes.length),
      ])
    },
    // The limits of an account's keys, addresses and list entries let all but its sessions fit into one transaction.
    remove: (seen, at) => [
      table.remove(accountKey(seen.id), {
        when: { equals: { version: seen.version, sessions: seen.sessions } },
      }),
      ...addressesOf(seen, at).map((address) => table.remove(emailKey(address))),
      ...listEntryWrites(table, seen, undefined),
      ...logEligibility(table, seen, undefined),
      ...apiKeyRemovals(table, seen, undefined),
      ...sessionRemovals(table, seen, undefined),
    ],
    relist: (seen) => [reader.requireUnchanged(seen), ...listEntryWrites(table, undefined, seen)],
    commit: table.commit,
  }
}

/** Claims an account's address. A claim that was kept for a former owner can be replaced after its time. */
const claimAddress = (table: Table, { id, email, updatedAt }: Account): Write =>
  table.put(
    { ...emailKey(emailKeyOf(email)), kind: 'email', userId: id },
    {
      when: {
        absentOrBelow: { attribute: 'keptUntilSeconds', value: Math.floor(Date.parse(updatedAt) / 1000) },
      },
      otherwise: () => new DomainError('email_taken'),
    },
  )

/**
 * Returns the present address of an account, and the former ones whose claims are its own. After its time another account
 * may have replaced a claim, see `claimAddress`; the table removes any other.
 */
const addressesOf = ({ email, formerAddresses }: Account, at: Timestamp): string[] => {
  const own = formerAddresses.filter(({ untilSeconds }) => untilSeconds >= Math.floor(Date.parse(at) / 1000))
  return [...new Set([email, ...own.map((former) => former.email)].map(emailKeyOf))]
}

/**
 * Moves an account's claims to its next address. A former address stays claimed until it can no longer be brought back;
 * a restored one is still claimed by the account itself. Every other former address becomes free.
 */
function addressWrites(table: Table, before: Account, after: Account): Write[] {
  // An undo may bring back the address that the account has again: then only the former addresses change.
  const isSame = emailKeyOf(before.email) === emailKeyOf(after.email)
  if (isSame && before.formerAddresses === after.formerAddresses) return []
  const next = emailKeyOf(after.email)
  const addresses = addressesOf(before, after.updatedAt)
  const keptUntil = new Map(
    after.formerAddresses.map((former) => [emailKeyOf(former.email), former.untilSeconds]),
  )
  const own = { userId: before.id }
  return [
    addresses.includes(next)
      ? table.put({ ...emailKey(next), kind: 'email', ...own }, { when: { equals: own } })
      : claimAddress(table, after),
    ...addresses
      .filter((address) => address !== next)
      .map((address): Write => {
        const keptUntilSeconds = keptUntil.get(address)
        if (keptUntilSeconds === undefined) return table.remove(emailKey(address))
        const expiry = { keptUntilSeconds, expiresAtSeconds: keptUntilSeconds }
        return table.put({ ...emailKey(address), kind: 'email', ...own, ...expiry })
      }),
  ]
}

/** Returns the attributes of the next state that differ from those before. */
const changedAttributes = (before: Account, after: Account): Record<string, unknown> => {
  const old: Record<string, unknown> = before
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => old[name] !== value))
}

/** Moves an account's entries in the administrators' lists. An undefined state has no entries. */
function listEntryWrites(table: Table, before: Account | undefined, after: Account | undefined): Write[] {
  const keysOf = (account: Account | undefined) => {
    const entries = account ? userListEntries(account) : []
    return new Map(entries.map(({ list, order }) => [`${list} ${order}`, userListKey(list, order)]))
  }
  const [old, next] = [keysOf(before), keysOf(after)]
  const gone = [...old].filter(([entry]) => !next.has(entry))
  const added = [...next].filter(([entry]) => !old.has(entry))
  return [
    ...gone.map(([, key]) => table.remove(key)),
    ...added.map(([, key]) => table.put({ ...key, kind: 'user-list', userId: after?.id })),
  ]
}

/** Removes the sessions that the next state no longer has. */
const sessionRemovals = (table: Table, before: Account, after: Account | undefined): Write[] =>
  Object.keys(before.sessions)
    .filter((id) => !(id in (after?.sessions ?? {})))
    .map((id) => table.remove(sessionKey(SessionId.parse(id))))

/** Removes the API keys that the next state no longer has. */
const apiKeyRemovals = (table: Table, before: Account, after: Account | undefined): Write[] =>
  Object.entries(before.apiKeys)
    .filter(([id]) => !(id in (after?.apiKeys ?? {})))
    .map(([, hash]) => table.remove(apiKeyKey(hash)))

/** The account store, as a dependency of functions. */
export const accounts = onTable(openAccounts, {
  reads: ['EMAIL', 'SESSION', 'USER'],
  writes: ['API-KEY', 'EMAIL', 'SEARCH-LOG', 'SESSION', 'USER', 'USERS'],
})
