import * as z from 'zod'
import { onTable, type Table } from '#lib/dynamo/table'
import { Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import type { Write } from '#lib/kernel/write'
import { factorsKey, passkeyKey, removalKey, removalPartition, spentChallengeKey } from './factor.keys.ts'
import type { FactorReader, FactorStore } from './factor-store.ts'
import { Factors, noFactors, type Passkey } from './factors.ts'

const StoredRemoval = z.object({ userId: UserId, at: Timestamp })

/** Opens the second factors in the one table, an item for each account. */
export const openFactors = (table: Table): FactorStore => ({
  get: async (userId) => {
    const item = await table.get(factorsKey(userId))
    return item ? Factors.parse(item) : noFactors(userId)
  },
  ownerOf: async (credentialId) => {
    const item = await table.get(passkeyKey(credentialId))
    return item && UserId.parse(item['userId'])
  },
  replace: (seen, next) => [
    table.put(
      { ...factorsKey(next.userId), kind: 'factors', ...next, version: seen.version + 1 },
      { when: seen.version === 0 ? 'absent' : { equals: { version: seen.version } } },
    ),
    ...passkeysOnlyIn(next, seen).map(
      ({ credentialId }): Write =>
        table.put(
          { ...passkeyKey(credentialId), kind: 'passkey', userId: next.userId },
          { when: 'absent', otherwise: () => new DomainError('invalid_passkey') },
        ),
    ),
    ...passkeysOnlyIn(seen, next).map(({ credentialId }): Write => table.remove(passkeyKey(credentialId))),
  ],
  // Without a condition: the transaction deletes the account itself.
  remove: (seen) => [
    table.remove(factorsKey(seen.userId)),
    ...seen.passkeys.map(({ credentialId }) => table.remove(passkeyKey(credentialId))),
  ],
  spend: ({ token, expiresAtSeconds }, otherwise) =>
    table.put(
      { ...spentChallengeKey(token), kind: 'spent-challenge', expiresAtSeconds },
      { when: 'absent', otherwise },
    ),
  scheduleRemoval: ({ userId, at }) =>
    table.put({ ...removalKey(at, userId), kind: 'factor-removal', userId, at }),
  unscheduleRemoval: ({ userId, at }) => table.remove(removalKey(at, userId)),
  dueOn: async (day, until) => {
    const items = await table.queryAll({ partition: removalPartition(timestamp(day)) })
    return items.map((item) => StoredRemoval.parse(item)).filter(({ at }) => at <= until)
  },
  commit: table.commit,
})

const passkeysOnlyIn = (one: Factors, other: Factors): Passkey[] =>
  one.passkeys.filter(({ id }) => !other.passkeys.some((passkey) => passkey.id === id))

/** The store of second factors, as a dependency of functions. */
export const factors = onTable(openFactors, {
  reads: ['FACTORS', 'FACTORS-DUE', 'PASSKEY'],
  writes: ['CHALLENGE', 'FACTORS', 'FACTORS-DUE', 'PASSKEY'],
})

export const factorReader = onTable((table): FactorReader => openFactors(table), {
  reads: ['FACTORS', 'FACTORS-DUE', 'PASSKEY'],
})
