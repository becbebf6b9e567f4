import type { AccountStore } from '#lib/accounts/account-store'
import { accountStore } from '#lib/accounts/account-store.dynamo'

/** A dependency with which something else happens once, after a request has read the account and before it saves it. */
export function overtakenBy(happens: () => Promise<unknown>): { accounts: AccountStore } {
  const accounts = accountStore.make()
  let isOver = false
  const save: AccountStore['save'] = async (...given) => {
    if (!isOver) {
      isOver = true
      await happens()
    }
    return accounts.save(...given)
  }
  return { accounts: { ...accounts, save } }
}
