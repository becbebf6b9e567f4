import type { Account } from '#lib/accounts/account'
import { accountReader } from '#lib/accounts/account-reader.dynamo'
import type { Resolved } from '#lib/config/config'
import type { ApiKeyAccess, Caller } from '#lib/http/access'
import { bearerOf } from '#lib/http/request'
import { clock } from '#lib/http/runtime'
import { DomainError } from '#lib/kernel/domain-error'
import type { UserId } from '#lib/kernel/id'
import { isExpired, keyHash } from './api-key.ts'
import { apiKeyReader } from './api-key-store.dynamo.ts'
import { type ApiKeyScope, scopesAllowing } from './scope.ts'

/** An agent who calls by an API key. A key acts for the agent's own listings, and never for the agent as a customer. */
type KeyHolder = { kind: 'user'; userId: UserId; account: Account; isByKey: true }

const deps = { apiKeys: apiKeyReader, accounts: accountReader, now: clock }
type Deps = Resolved<typeof deps>

/** Lets API keys with a scope call an endpoint. An invalid key is `unauthenticated`, one without the scope `forbidden`. */
export const apiKeys = (scope: ApiKeyScope): ApiKeyAccess<KeyHolder> => ({
  scopes: scopesAllowing(scope),
  deps,
  check: async (event, given: Deps) => {
    const { caller, scopes } = await holderOf(bearerOf(event) ?? '', given)
    const needs = scopesAllowing(scope)
    if (!needs.some((each) => scopes.includes(each)))
      throw new DomainError('forbidden', { extensions: { needs } })
    return caller
  },
})

/** Lets API keys call a public endpoint: a valid key without the scope is treated as the public. */
export const apiKeysOrPublic = (scope: ApiKeyScope): ApiKeyAccess<KeyHolder | null> => ({
  scopes: scopesAllowing(scope),
  deps,
  check: async (event, given: Deps) => {
    const { caller, scopes } = await holderOf(bearerOf(event) ?? '', given)
    return scopesAllowing(scope).some((each) => scopes.includes(each)) ? caller : { actor: null, id: null }
  },
})

async function holderOf(
  key: string,
  { apiKeys: store, accounts, now }: Deps,
): Promise<{ caller: Caller<KeyHolder>; scopes: readonly ApiKeyScope[] }> {
  const found = KEY.test(key) ? await store.get(keyHash(key)) : undefined
  const account = found && !isExpired(found, now()) ? await accounts.get(found.userId) : undefined
  // The account lists its keys: a key that it no longer lists is void.
  if (!found || account?.status !== 'ACTIVE' || account.apiKeys[found.id] !== found.hash) {
    throw new DomainError('unauthenticated')
  }
  const actor: KeyHolder = { kind: 'user', userId: account.id, account, isByKey: true }
  return { caller: { actor, id: account.id }, scopes: found.scopes }
}

const KEY = /^pak_[A-Za-z0-9_-]{43}$/

/** Whether an actor calls by an API key. */
const isByKey = (actor: object | null): actor is KeyHolder => actor !== null && 'isByKey' in actor

/**
 * Returns the role whose items a list shows to an actor. A key sees the agent's side, also when the role is left out.
 * Throws `forbidden` for a key that asks for the other side.
 */
export function roleFor<Role extends string>(
  actor: object,
  role: Role | undefined,
  { ofApiKey, byDefault }: { ofApiKey: Role; byDefault: Role },
): Role {
  if (!isByKey(actor)) return role ?? byDefault
  if (role !== undefined && role !== ofApiKey) {
    throw new DomainError('forbidden', { detail: `An API key sees the agent's side: role=${ofApiKey}` })
  }
  return ofApiKey
}

/** Returns the store as the caller may use it. By an API key, `get` finds only items of which the key's owner is the agent. */
export const limitApiKeyToAgentSide = <
  Id,
  Item,
  Store extends { get: (id: Id) => Promise<Item | undefined> },
>(
  actor: object,
  store: Store & { get: (id: Id) => Promise<Item | undefined> },
  agentOf: (item: Item, holder: UserId) => UserId | null,
): Store => {
  if (!isByKey(actor)) return store
  const get = async (id: Id) => {
    const item = await store.get(id)
    return item !== undefined && agentOf(item, actor.userId) === actor.userId ? item : undefined
  }
  return { ...store, get }
}
