import * as z from 'zod'
import { type Clock, type Timestamp, timestamp } from '#lib/kernel/clock'
import { DomainError } from '#lib/kernel/domain-error'
import { UserId } from '#lib/kernel/id'
import { retryConflicts } from '#lib/kernel/retry'
import { nameLine, text } from '#lib/kernel/text'
import { type Account, AgentProfile, PersonName, Phone } from './account.ts'
import type { AccountStore } from './account-store.ts'
import { type IdentityField, refuseFrozen } from './frozen-identity.ts'
import { currentStatus, KycStatus } from './kyc-state.ts'
import { rereadByRegistration } from './reread-caller.ts'

/** A BCP 47 language tag, such as `fr` or `pt-BR`. */
const Language = z
  .string()
  .trim()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'must be a BCP 47 language tag')

/** The fields that an agent may set; a field left out is unset. */
export const AgentProfileInput = z.object({
  displayName: PersonName,
  agency: nameLine({ max: 120, needs: 'letter or digit' }).nullish(),
  licenseNumber: text({ max: 60 }).nullish(),
  bio: text({ max: 2000 }).nullish(),
  phone: Phone.nullish(),
  languages: z.array(Language).max(20).nullish(),
  serviceAreas: z
    .array(nameLine({ max: 120, needs: 'letter or digit' }))
    .max(50)
    .nullish(),
})

/** An agent's own profile. */
export const AgentProfileView = AgentProfile.extend({ userId: UserId, kycStatus: KycStatus }).meta({
  id: 'AgentProfile',
})

/** Returns the caller's agent profile. Throws `agent_profile_not_found` while there is none. */
export function getAgentProfile(account: Account, now: Clock): z.infer<typeof AgentProfileView> {
  if (account.agent === null) throw new DomainError('agent_profile_not_found')
  return { ...account.agent, userId: account.id, kycStatus: currentStatus(account.kyc, now()) }
}

type Deps = { accounts: AccountStore; now: Clock }

/**
 * Sets the whole profile; the first one makes the caller an agent at once. A VERIFIED caller's first profile waits for
 * review, and is not public until a decision. `displayName`, `agency` and `licenseNumber` are part of the identity:
 * changing them throws `in_review` or `identity_verified`.
 */
export const putAgentProfile = (deps: Deps, caller: Account, input: z.infer<typeof AgentProfileInput>) =>
  retryConflicts(async (isRetry) => {
    const { accounts, now } = deps
    const account = isRetry ? await rereadByRegistration(deps, caller) : caller
    const at = timestamp(now())
    const agent = profileOf(input, account.agent, at)
    refuseFrozen(account, listIdentityChanges(account, agent), now())
    const next: Account = { ...account, ...withReview(account, now()), agent, updatedAt: at }
    await accounts.save(account, next)
    return { isNew: account.agent === null, profile: getAgentProfile(next, now) }
  })

const profileOf = (
  input: z.infer<typeof AgentProfileInput>,
  before: AgentProfile | null,
  at: Timestamp,
): AgentProfile => ({
  displayName: input.displayName,
  agency: input.agency ?? null,
  licenseNumber: input.licenseNumber ?? null,
  bio: input.bio ?? null,
  phone: input.phone ?? null,
  languages: input.languages ?? [],
  serviceAreas: input.serviceAreas ?? [],
  createdAt: before?.createdAt ?? at,
  updatedAt: at,
})

/** Lists the changed fields of the identity: none for a first profile, or while the person has left the review. */
function listIdentityChanges({ agent, kyc }: Account, next: AgentProfile): IdentityField[] {
  const hasLeftReview = kyc.agentWaits && kyc.waitingSince === null
  if (agent === null || hasLeftReview) return []
  return (['displayName', 'agency', 'licenseNumber'] as const).filter((field) => agent[field] !== next[field])
}

/** Puts a VERIFIED person in the queue with their first agent profile, and again after they have left it. */
function withReview({ agent, kyc }: Account, now: Date): Partial<Account> {
  const waits = agent === null ? currentStatus(kyc, now) === 'VERIFIED' : kyc.agentWaits
  if (!waits) return {}
  const waitingSince = kyc.waitingSince ?? timestamp(now)
  return { kyc: { ...kyc, agentWaits: true, waitingSince } }
}
