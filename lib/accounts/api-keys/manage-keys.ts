import * as z from 'zod'
import type { Account } from '#lib/accounts/account'
import type { AccountStore } from '#lib/accounts/account-store'
import { rereadBySession, type SignedInCaller } from '#lib/accounts/reread-caller'
import { announce } from '#lib/events/event'
import { type Clock, Moment, timestamp } from '#lib/kernel/clock'
import { DomainError, invalidField } from '#lib/kernel/domain-error'
import type { ApiKeyId, NewId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { nameLine } from '#lib/kernel/text'
import { type ApiKey, ApiKeyView, keyHash, newKey } from './api-key.ts'
import type { ApiKeyReader, ApiKeyStore } from './api-key-store.ts'
import { ApiKeyScope } from './scope.ts'

const KEYS_MAX = 10

export const NewApiKey = z.object({
  name: nameLine({ max: 120 }).meta({ example: 'Import of the office' }),
  scopes: z
    .array(ApiKeyScope)
    .min(1)
    .max(ApiKeyScope.options.length)
    .transform((scopes) => [...new Set(scopes)]),
  expiresAt: Moment.nullish().meta({ description: 'In the future; null: it does not expire' }),
})

/** A new key. Only this answer shows the key itself. */
export const MadeApiKey = z
  .object({ apiKey: ApiKeyView, key: z.string().meta({ description: 'Shown once', example: 'pak_…' }) })
  .meta({ id: 'MadeApiKey' })

export const ApiKeyList = z.object({ items: z.array(ApiKeyView) })

type Deps = {
  accounts: AccountStore
  apiKeys: ApiKeyStore
  now: Clock
  newId: NewId
}

/** Makes a key that acts for its agent. Only a hash of it is kept. Throws `api_key_limit_reached`. */
export const makeKey = (
  deps: Deps,
  caller: SignedInCaller,
  { name, scopes, expiresAt = null }: z.infer<typeof NewApiKey>,
): Promise<z.infer<typeof MadeApiKey>> => {
  const { accounts, apiKeys, now, newId } = deps
  if (expiresAt !== null && Date.parse(expiresAt) <= now().getTime()) {
    throw invalidField('expiresAt', 'must be in the future')
  }
  return retryConflicts(async (isRetry) => {
    const account = isRetry ? await rereadBySession(deps, caller) : caller.account
    if (Object.keys(account.apiKeys).length >= KEYS_MAX) throw new DomainError('api_key_limit_reached')
    const key = newKey()
    const apiKey: ApiKey = {
      id: newId('apiKey'),
      userId: account.id,
      hash: keyHash(key),
      name,
      scopes,
      last4: key.slice(-4),
      createdAt: timestamp(now()),
      expiresAt,
    }
    const next = { ...account, apiKeys: { ...account.apiKeys, [apiKey.id]: apiKey.hash } }
    await accounts.save(account, next, [
      apiKeys.insert(apiKey),
      announceKeyChange(deps, account, apiKey.id, 'made'),
      accounts.requireSession(caller.sessionId),
    ])
    return { apiKey, key }
  })
}

/** Lists the keys of an agent, the newest first, expired ones too. */
export async function listKeys(
  { apiKeys }: { apiKeys: ApiKeyReader },
  account: Account,
): Promise<z.infer<typeof ApiKeyList>> {
  const keys = await apiKeys.many(Object.values(account.apiKeys))
  return { items: keys.toSorted((one, other) => other.id.localeCompare(one.id)) }
}

/** Deletes a key of the agent: it is refused from now on. The id of another key changes nothing. */
export const deleteKey = (
  deps: Pick<Deps, 'now' | 'newId'> & { accounts: AccountStore },
  caller: Account,
  id: ApiKeyId,
): Promise<void> =>
  retryConflicts(async (isRetry) => {
    const account = isRetry ? await deps.accounts.get(caller.id) : caller
    if (!account || !(id in account.apiKeys)) return
    const { [id]: _deleted, ...apiKeys } = account.apiKeys
    await deps.accounts.save(account, { ...account, apiKeys }, [
      announceKeyChange(deps, account, id, 'deleted'),
    ])
  })

const announceKeyChange = (
  { newId, now }: Pick<Deps, 'newId' | 'now'>,
  { id: subject }: Account,
  keyId: ApiKeyId,
  change: 'made' | 'deleted',
) =>
  announce({
    id: newId('event'),
    type: 'user.api_key_changed',
    subject,
    at: timestamp(now()),
    data: { keyId, change },
  })
