import type { AccountStore } from '#lib/accounts/account-store'
import { accounts as accountStore } from '#lib/accounts/account-store.dynamo'

/** A dependency of a request with which something else happens once, just before the first call of one of its functions. */
export function overtaken<
  Name extends string,
  Dependency extends Record<Name, (...given: never[]) => Promise<unknown>>,
>(dependency: Dependency, name: Name, happens: () => Promise<unknown>): Dependency {
  const { [name]: act } = dependency
  let happened: Promise<unknown> | undefined
  const afterwards = async (...given: never[]) => {
    happened ??= happens()
    await happened
    return act(...given)
  }
  return { ...dependency, [name]: afterwards }
}

/** A dependency with which something else happens once, after a request has read the account and before it saves it. */
export function overtakenBy(happens: () => Promise<unknown>): { accounts: AccountStore } {
  let happened: Promise<unknown> | undefined
  const once = () => (happened ??= happens())
  return { accounts: overtaken(overtaken(accountStore.make(), 'commit', once), 'save', once) }
}
