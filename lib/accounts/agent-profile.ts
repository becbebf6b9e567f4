import * as z from 'zod'
import { type Clock, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { text } from '#lib/kernel/text'
import { type Account, AgentProfile, Phone } from './account.ts'
import type { AccountStore } from './account-store.ts'
import { currentStatus, KycStatus } from './kyc-state.ts'

/** A BCP 47 language tag, such as `fr` or `pt-BR`. */
const Language = z
  .string()
  .trim()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a BCP 47 language tag')

/** What an agent may say of themselves; what is left out is unset. */
export const AgentProfileInput = z.object({
  displayName: text({ max: 120 }),
  agency: text({ max: 120 }).nullish(),
  licenseNumber: text({ max: 60 }).nullish(),
  bio: text({ max: 2000 }).nullish(),
  phone: Phone.nullish(),
  languages: z.array(Language).max(20).nullish(),
  serviceAreas: z
    .array(text({ max: 120 }))
    .max(50)
    .nullish(),
})

/** An agent's own profile. */
export const AgentProfileView = AgentProfile.extend({ userId: UserId, kycStatus: KycStatus }).meta({
  id: 'AgentProfile',
})

/** The caller's agent profile; throws `agent_profile_not_found` while there is none. */
export function getAgentProfile(account: Account, now: Clock): z.infer<typeof AgentProfileView> {
  if (account.agent === null) throw new DomainError('agent_profile_not_found')
  return { ...account.agent, userId: account.id, kycStatus: currentStatus(account.kyc, now()) }
}

type Deps = { accounts: AccountStore; now: Clock }

/**
 * Sets the whole profile; the first time makes the caller an agent at once. A VERIFIED agent's `displayName`
 * and `licenseNumber` are what was verified: changing them throws `identity_verified`.
 */
export const putAgentProfile = (deps: Deps, caller: Account, input: z.infer<typeof AgentProfileInput>) =>
  retryConflicts(async (isRetry) => {
    const account = (isRetry && (await deps.accounts.get(caller.id))) || caller
    const before = account.agent
    const at = timestamp(deps.now())
    const agent: AgentProfile = {
      displayName: input.displayName,
      agency: input.agency ?? null,
      licenseNumber: input.licenseNumber ?? null,
      bio: input.bio ?? null,
      phone: input.phone ?? null,
      languages: input.languages ?? [],
      serviceAreas: input.serviceAreas ?? [],
      createdAt: before?.createdAt ?? at,
      updatedAt: at,
    }
    refuseIdentityChange(account, agent, deps.now())
    const next: Account = { ...account, agent, updatedAt: at }
    await deps.accounts.save(account, next, ['agent', 'kyc.decisions'])
    return { isNew: before === null, profile: getAgentProfile(next, deps.now) }
  })

function refuseIdentityChange(account: Account, next: AgentProfile, now: Date): void {
  const { agent, kyc } = account
  if (agent === null || currentStatus(kyc, now) !== 'VERIFIED') return
  const changed = (['displayName', 'licenseNumber'] as const).filter((field) => agent[field] !== next[field])
  if (changed.length === 0) return
  const errors = changed.map((path) => ({
    path,
    code: 'identity_verified',
    message: 'is part of the verified identity',
  }))
  throw new DomainError('identity_verified', {
    detail: `${changed.join(' and ')} was verified and cannot change`,
    errors,
  })
}
