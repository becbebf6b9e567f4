import { storeOnTable } from '#lib/dynamo/table'
import { passwordKey } from './password.keys.ts'
import { type PasswordStore, StoredPassword } from './password-store.ts'

/** Passwords in the one table, an item for each account. */
export const passwordStore = storeOnTable(
  (table): PasswordStore => ({
    get: async (userId) => {
      const item = await table.get(passwordKey(userId))
      return item && StoredPassword.parse(item)
    },
    put: (password) => ({ put: { ...passwordKey(password.userId), kind: 'password', ...password } }),
    remove: (userId) => ({ remove: passwordKey(userId) }),
  }),
  { get: { PASSWORD: ['get'] }, put: { PASSWORD: ['put'] }, remove: { PASSWORD: ['remove'] } },
)
