import type { AccountStore } from '#lib/accounts/account-store'
import { accountStore } from '#lib/accounts/account-store.dynamo'
import { unrecorded } from './recorder.ts'

/** A dependency with which something else happens once, after a request has read the account and before it saves it. */
export function overtakenBy(happens: () => Promise<unknown>): { accounts: AccountStore } {
  const accounts = accountStore.make()
  let isOver = false
  const overtaken = async () => {
    if (isOver) return
    isOver = true
    await unrecorded(happens)
  }
  const save: AccountStore['save'] = async (...given) => {
    await overtaken()
    return accounts.save(...given)
  }
  const commit: AccountStore['commit'] = async (writes) => {
    await overtaken()
    return accounts.commit(writes)
  }
  return { accounts: { ...accounts, save, commit } }
}
