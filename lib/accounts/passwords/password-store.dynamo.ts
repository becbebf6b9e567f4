import { onTable, type Table } from '#lib/dynamo/table'
import { passwordKey } from './password.keys.ts'
import { type PasswordReader, type PasswordStore, StoredPassword } from './password-store.ts'

/** Opens the passwords in the one table, an item for each account. */
export const openPasswords = (table: Table): PasswordStore => ({
  get: async (userId) => {
    const item = await table.get(passwordKey(userId))
    return item && StoredPassword.parse(item)
  },
  put: (password) => table.put({ ...passwordKey(password.userId), kind: 'password', ...password }),
  remove: (userId) => table.remove(passwordKey(userId)),
})

/** The passwords, as a dependency of functions. */
export const passwords = onTable(openPasswords, { reads: ['PASSWORD'], writes: ['PASSWORD'] })

export const passwordReader = onTable((table): PasswordReader => openPasswords(table), {
  reads: ['PASSWORD'],
})
