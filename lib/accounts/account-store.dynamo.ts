import { listedUntilSeconds } from '#lib/accounts/sessions/session'
import { dependency } from '#lib/config'
import { openTable, type Table } from '#lib/dynamo/table'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import { accountKey, directoryKey, emailKey, sessionKey } from './account.keys.ts'
import { Account, emailKeyOf } from './account.ts'
import type { AccountStore } from './account-store.ts'
import { directoryEntries } from './directory.ts'

/** Accounts in the one table. */
export const openAccounts = (table: Table): AccountStore => {
  const get: AccountStore['get'] = async (id) => {
    const item = await table.get(accountKey(id))
    return item && Account.parse(item)
  }
  const insertSession: AccountStore['insertSession'] = (session) => [
    { put: { ...sessionKey(session.id), kind: 'session', ...session }, when: 'absent' },
  ]
  return {
    get,
    insertSession,
    getMany: async (ids) => (await table.getMany(ids.map(accountKey))).map((item) => Account.parse(item)),
    byEmail: async (email) => {
      const claim = await table.get(emailKey(emailKeyOf(email)))
      // Without a claim it takes as long: whether an address is known cannot be told by the clock.
      return get(claim ? UserId.parse(claim['userId']) : NOBODY)
    },
    insert: (account) => [
      { put: { ...accountKey(account.id), kind: 'account', ...account }, when: 'absent' },
      {
        put: { ...emailKey(emailKeyOf(account.email)), kind: 'email', userId: account.id },
        when: 'absent',
        otherwise: () => new DomainError('email_taken'),
      },
      ...relist(undefined, account),
    ],
    relist,
    change: (id, seen, set) => ({ update: accountKey(id), set, when: { equals: seen } }),
    countDrafts: (id, by, bound) => ({
      update: accountKey(id),
      set: {},
      add: { drafts: by },
      when: 'present',
      ...(bound && {
        when: { below: { attribute: 'drafts', value: bound.below } },
        otherwise: bound.otherwise,
      }),
    }),
    countPayment: (id) => ({
      update: accountKey(id),
      set: {},
      add: { payments: 1 },
      when: 'present',
      otherwise: () => new DomainError('unauthenticated'),
    }),
    remove: (seen) => [
      { remove: accountKey(seen.id), when: { equals: whatEnds(seen) } },
      { remove: emailKey(emailKeyOf(seen.email)) },
      ...relist(seen, undefined),
    ],
    stillAs: (id, seen) => ({ check: accountKey(id), when: { equals: seen } }),
    addSession: ({ id, passwordHash, knownAddresses, sessions }, session, ended) => [
      {
        update: accountKey(id),
        set: { knownAddresses, [`sessions.${session.id}`]: listedUntilSeconds(new Date(session.createdAt)) },
        remove: ended.map((old) => `sessions.${old}`),
        // As they were seen, or many sign-ins at once would each make room for one and come to more than fit.
        when: { equals: { status: 'ACTIVE', passwordHash, sessions } },
      },
      ...insertSession(session),
    ],
    commit: table.commit,
  }
}

const NOBODY = UserId.parse('usr_00000000000000000000000000')

/** All of an account that what ends with it was judged by. */
const whatEnds = ({ email, passwordHash, sessions, standingRevision, kyc, payments }: Account) => ({
  email,
  passwordHash,
  sessions,
  standingRevision,
  payments,
  'kyc.documents': kyc.documents,
})

const relist: AccountStore['relist'] = (before, after) => {
  const keysOf = (account: Account | undefined) =>
    new Map(
      (account ? directoryEntries(account) : []).map(({ list, order }) => [
        `${list} ${order}`,
        directoryKey(list, order),
      ]),
    )
  const [old, next] = [keysOf(before), keysOf(after)]
  return [
    ...[...old].flatMap(([entry, key]) => (next.has(entry) ? [] : [{ remove: key }])),
    ...[...next].flatMap(([entry, key]) =>
      old.has(entry) ? [] : [{ put: { ...key, kind: 'directory', userId: after?.id } }],
    ),
  ]
}

/** The function's account store. */
export const accountStore = dependency(['TABLE_NAME'], ({ TABLE_NAME }) =>
  openAccounts(openTable(TABLE_NAME)),
)
