import { onTable, type Table } from '#lib/dynamo/table'
import { UserId } from '#lib/kernel/id'
import { accountKey, emailKey, sessionKey } from './account.keys.ts'
import { Account, EMAIL_MAX_LENGTH, emailKeyOf, NOBODY } from './account.ts'
import type { AccountFinder, AccountReader } from './account-store.ts'

/** Opens the reader of accounts. In its own file, so that functions that only read bundle no code that writes. */
export const openAccountReader = (table: Table): AccountReader => ({
  get: async (id) => {
    const item = await table.get(accountKey(id))
    return item && Account.parse(item)
  },
  getMany: async (ids) => (await table.getMany(ids.map(accountKey))).map((item) => Account.parse(item)),
  requireUnchanged: ({ id, version }) => table.check(accountKey(id), { when: { equals: { version } } }),
})

/** Opens the finder of accounts. */
export const openAccountFinder = (table: Table): AccountFinder => {
  const reader = openAccountReader(table)
  return {
    ...reader,
    requireSession: (id) => table.check(sessionKey(id), { when: 'present' }),
    byEmail: async (email) => {
      const address = emailKeyOf(email)
      // A search may ask for any text, and a compatible spelling may be longer than the table allows a key to be.
      const isPossible = address.length <= EMAIL_MAX_LENGTH
      const claim = isPossible ? await table.get(emailKey(address)) : undefined
      // An unknown address takes a second read too, so that the time of the answer does not tell it from a known one.
      // A claim that is kept for a former owner leads to no account.
      const isPresent = claim !== undefined && !('keptUntilSeconds' in claim)
      return reader.get(isPresent ? UserId.parse(claim['userId']) : NOBODY)
    },
  }
}

/** The reader of accounts, as a dependency of functions. */
export const accountReader = onTable(openAccountReader, { reads: ['USER'] })

/** The finder of accounts, as a dependency of functions. */
export const accountFinder = onTable(openAccountFinder, { reads: ['EMAIL', 'SESSION', 'USER'] })
