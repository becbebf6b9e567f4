import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { MailId, RegistrationId, UserId } from '#lib/kernel/id'
import { Locale } from '#lib/kernel/locale'
import { text } from '#lib/kernel/text'
import { currentStatus, KycState, KycStatus } from './kyc-state.ts'

/** An E.164 telephone number. */
export const Phone = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{6,14}$/, 'must be a telephone number in E.164 form, such as +2250700000000')
  .meta({ example: '+2250700000000' })

/** An e-mail address as its owner wrote it; two compare by `emailKeyOf`. */
export const Email = z.string().trim().max(254).pipe(z.email()).meta({ example: 'awa@example.com' })

export const PersonName = text({ max: 120 })

/** Whether a user may sign in. */
export const AccountStatus = z.enum(['ACTIVE', 'BANNED']).meta({ id: 'AccountStatus' })

/** What an agent says of themselves. */
export const AgentProfile = z.object({
  displayName: text({ max: 120 }),
  agency: text({ max: 120 }).nullable(),
  licenseNumber: text({ max: 60 }).nullable(),
  bio: text({ max: 2000 }).nullable(),
  phone: Phone.nullable(),
  languages: z.array(z.string()),
  serviceAreas: z.array(z.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type AgentProfile = z.infer<typeof AgentProfile>

/** An address that an account had, and until when the link mailed to it brings it back. */
export const FormerAddress = z.object({ linkId: MailId, email: z.string(), untilSeconds: z.int() })

/**
 * A person's one record: who they are, which of their sessions live, their agent profile and their newest KYC
 * decision. Together, because almost every request needs the first two and an agent's page needs the rest.
 */
export const Account = z.object({
  id: UserId,
  email: z.string(),
  emailVerified: z.boolean(),
  passwordHash: z.string(),
  /** Changes when the address's owner takes the account back: what was mailed before proves nothing any more. */
  registration: RegistrationId,
  /** Null only after the address's owner has taken the account back and not said a name yet. */
  name: z.string().nullable(),
  phone: z.string().nullable(),
  /** The language of mail and notifications; an unknown one, of a newer version, reads as English. */
  locale: Locale.catch('en'),
  status: AccountStatus,
  banReason: z.string().nullable(),
  /** Rises with every decision that may change whether customers see this agent: KYC, bans, unbans. */
  standingRevision: z.int(),
  /** Live sessions, at most 50, and when each ends in Unix seconds. */
  sessions: z.record(z.string(), z.number()),
  /** Addresses from which the owner has signed in, as `addressMark` writes them. */
  knownAddresses: z.array(z.string()),
  /** Browsers in which the owner has signed in, as `browserMark` writes them. */
  knownBrowsers: z.array(z.string()).default([]),
  /** Addresses before the present one that can be brought back, oldest first. */
  formerAddresses: z.array(FormerAddress).default([]),
  agent: AgentProfile.nullable(),
  kyc: KycState,
  /** How many payments were started: rises with each, so that none overtakes the end of the account unseen. */
  payments: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Account = z.infer<typeof Account>

/** What a user reads of themselves. */
export const UserView = z
  .object({
    id: UserId,
    email: z.string(),
    emailVerified: z.boolean(),
    name: z.string().nullable(),
    phone: z.string().nullable(),
    locale: Locale.meta({ description: 'The language of mail and notifications' }),
    roles: z.array(z.enum(['user', 'agent'])),
    kycStatus: KycStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'User' })

/** The user as they see themselves at this moment. */
export const userView = (account: Account, now: Date): z.infer<typeof UserView> => ({
  ...account,
  roles: rolesOf(account),
  kycStatus: currentStatus(account.kyc, now),
})

/** A user is an agent as soon as they have an agent profile. */
export const rolesOf = ({ agent }: Pick<Account, 'agent'>): ('user' | 'agent')[] =>
  agent ? ['user', 'agent'] : ['user']

/** Whether customers may see this agent and their listings now: verified, their agent profile too, and not banned. */
export const isInGoodStanding = (account: Account, now: Date): boolean =>
  account.status === 'ACTIVE' &&
  account.agent !== null &&
  !account.kyc.agentWaits &&
  currentStatus(account.kyc, now) === 'VERIFIED'

/** What makes two addresses the same: letter case does not tell them apart. */
export const emailKeyOf = (email: string): string => email.normalize('NFKC').toLowerCase()
