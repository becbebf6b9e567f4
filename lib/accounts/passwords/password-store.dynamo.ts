import { storeOnTable, type Table } from '#lib/dynamo/table'
import { passwordKey } from './password.keys.ts'
import { type PasswordStore, StoredPassword } from './password-store.ts'

/** Opens the passwords in the one table, an item for each account. */
export const openPasswords = (table: Table): PasswordStore => ({
  get: async (userId) => {
    const item = await table.get(passwordKey(userId))
    return item && StoredPassword.parse(item)
  },
  put: (password) => ({ put: { ...passwordKey(password.userId), kind: 'password', ...password } }),
  remove: (userId) => ({ remove: passwordKey(userId) }),
})

/** The passwords, as a dependency of functions. */
export const passwordStore = storeOnTable(openPasswords, {
  get: { PASSWORD: ['get'] },
  put: { PASSWORD: ['put'] },
  remove: { PASSWORD: ['remove'] },
})
