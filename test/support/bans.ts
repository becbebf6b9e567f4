import { expect } from 'vitest'
import { spec as updateUser } from '#functions/accounts/users/update-user'
import { spec as followBans } from '#functions/jobs/follow-bans'
import { eligibilityKey } from '#lib/accounts/account.keys'
import { UserId } from '#lib/kernel/id'
import { call } from './call.ts'
import { consoleToken, type GivenUser } from './given.ts'
import { streamTo } from './stream.ts'

/** Bans a person, and lets what follows happen. */
export const ban = async ({ id }: GivenUser) => {
  const answer = await call(updateUser, {
    params: { id },
    token: await consoleToken(),
    body: { status: 'BANNED', reason: 'Fraud' },
  })
  expect(answer.status).toBe(200)
  return streamTo(followBans, eligibilityKey(UserId.parse(id)))
}
