import type * as z from 'zod'
import { type Clock, Timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import { AgentProfile, isEligibleToPublish } from './account.ts'
import type { AccountReader } from './account-store.ts'

/** An agent as customers see them: how to choose and reach them. The licence number is for administrators only. */
export const PublicAgent = AgentProfile.omit({ licenseNumber: true, updatedAt: true }).extend({
  userId: UserId,
  memberSince: Timestamp,
})

/** Returns the public profile of a verified agent. Throws `not_found` for an unverified, banned or deleted agent. */
export async function getPublicAgent(
  { accounts, now }: { accounts: AccountReader; now: Clock },
  userId: UserId,
): Promise<z.input<typeof PublicAgent>> {
  const account = await accounts.get(userId)
  if (!account?.agent || !isEligibleToPublish(account, now())) throw new DomainError('not_found')
  // The answer's schema drops the licence number.
  return { ...account.agent, userId, memberSince: account.createdAt }
}
