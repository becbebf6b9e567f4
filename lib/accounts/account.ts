import { domainToASCII } from 'node:url'
import * as z from 'zod'
import { NEVER, Timestamp, timestamp } from '#lib/kernel/clock'
import { MailId, RegistrationId, UserId } from '#lib/kernel/id'
import { Locale } from '#lib/kernel/locale'
import { nameLine, text } from '#lib/kernel/text'
import { MailPreferences } from '#lib/mail/mail-preferences'
import { currentStatus, KycState, KycStatus } from './kyc-state.ts'
import { OwnListingLimits } from './listing-limits.ts'

/** What people and address books write between and around the digits of a telephone number, and marks of direction. */
const PHONE_PUNCTUATION = /[\s.()[\]\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069-]/gu

/** Returns a telephone number that begins with `+` without its punctuation, and without the `(0)` that is dialled only at home. */
function barePhone(given: string): string {
  const bare = given.replace('(0)', '').replace(PHONE_PUNCTUATION, '')
  return bare.startsWith('+') ? bare : given
}

/** An E.164 telephone number. */
export const Phone = z
  .string()
  .trim()
  .overwrite(barePhone)
  .regex(/^\+[1-9]\d{6,14}$/, 'must be a telephone number in E.164 form, such as +2250700000000')
  .meta({ example: '+2250700000000' })

/** The largest number of characters in an e-mail address. */
export const EMAIL_MAX_LENGTH = 254

/** RFC 5321 without quoted local parts: dots part atoms, of 64 characters in all; the last label of a domain is no number. */
const EMAIL =
  /^(?=[^@]{1,64}@)[!\w#$%&'*+/=?^`{|}~-]+(?:\.[!\w#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?:[a-z]{2,63}|xn--[a-z\d-]{1,58}[a-z\d])$/i

/** A domain that is not in ASCII: letters, marks, digits, hyphens, and the dots of several scripts. */
const UNICODE_DOMAIN = /(?<=@)(?=.*[^ -~])[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u

/** Returns an address with its domain in the ASCII form that mail is sent by. An address that cannot be one stays. */
const withAsciiDomain = (address: string): string =>
  address.length > EMAIL_MAX_LENGTH
    ? address
    : address.replace(UNICODE_DOMAIN, (domain) => domainToASCII(domain) || domain)

/** An e-mail address as its owner wrote it, but for a domain in Unicode. Addresses are compared by `emailKeyOf`. */
export const Email = z
  .string()
  .trim()
  .overwrite(withAsciiDomain)
  .max(EMAIL_MAX_LENGTH)
  .pipe(z.email({ pattern: EMAIL }))
  .meta({ example: 'awa@example.com' })

export const PersonName = nameLine({ max: 120 }).meta({ example: 'Awa Koné' })

/** Whether a user may sign in. */
export const AccountStatus = z.enum(['ACTIVE', 'BANNED']).meta({ id: 'AccountStatus' })
export type AccountStatus = z.infer<typeof AccountStatus>

/** The agent's description of themselves. */
export const AgentProfile = z.object({
  displayName: text({ max: 120 }).meta({ example: 'Awa Koné' }),
  agency: text({ max: 120 }).nullable().meta({ example: 'Lagune Immobilier' }),
  licenseNumber: text({ max: 60 }).nullable().meta({ example: 'CI-ABJ-1042' }),
  bio: text({ max: 2000 }).nullable().meta({ example: 'Ten years of homes in Cocody and Marcory.' }),
  phone: Phone.nullable(),
  languages: z.array(z.string()).meta({ example: ['fr', 'en'] }),
  serviceAreas: z.array(z.string()).meta({ example: ['Cocody', 'Marcory'] }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type AgentProfile = z.infer<typeof AgentProfile>

/** An address that an account had. Until `untilSeconds` the link mailed to it restores the address and these fields. */
export const FormerAddress = z.object({
  linkId: MailId,
  email: z.string().meta({ example: 'awa@example.com' }),
  untilSeconds: z.int(),
  changedAt: Timestamp,
  name: z.string().nullable(),
  phone: z.string().nullable(),
  agent: AgentProfile.nullable(),
  mailPreferences: MailPreferences,
})
export type FormerAddress = z.infer<typeof FormerAddress>

/** Which second factors an account has. The secrets of factors are stored in items of their own. */
export const FactorSummary = z.object({
  totp: z.boolean(),
  passkeys: z.int(),
  recoveryCodes: z.int(),
  /** Rises with every factor that is added or removed: challenges made before are void. */
  revision: z.int(),
  /** A removal of every factor that an administrator asked for, and when it happens. */
  removal: z.object({ askedAt: Timestamp, at: Timestamp }).nullable(),
})
export type FactorSummary = z.infer<typeof FactorSummary>

/** An account without a second factor. */
export const NO_FACTORS: FactorSummary = {
  totp: false,
  passkeys: 0,
  recoveryCodes: 0,
  revision: 0,
  removal: null,
}

/** The ways to prove a second factor. */
export const FactorMethod = z.enum(['totp', 'passkey', 'recovery_code']).meta({ id: 'FactorMethod' })
export type FactorMethod = z.infer<typeof FactorMethod>

/** Whether an account has a second factor. Recovery codes alone do not count. */
export const hasSecondFactor = ({ factors }: Pick<Account, 'factors'>): boolean =>
  factors.totp || factors.passkeys > 0

/** Returns the second factors that an account can prove. */
export const factorMethods = ({ factors }: Pick<Account, 'factors'>): FactorMethod[] => [
  ...(factors.totp ? (['totp'] as const) : []),
  ...(factors.passkeys > 0 ? (['passkey'] as const) : []),
  ...(factors.recoveryCodes > 0 ? (['recovery_code'] as const) : []),
]

/** Returns how a signed-in caller can step up: by a second factor or, without one, by the password. */
export const stepUpMethods = (account: Pick<Account, 'factors'>): (FactorMethod | 'password')[] =>
  hasSecondFactor(account) ? factorMethods(account) : ['password']

/**
 * A person's one record: who they are, which of their sessions live, their agent profile and their newest KYC
 * decision. Almost every request needs the first two, and an agent's page needs the rest: so one read is enough.
 */
export const Account = z.object({
  id: UserId,
  /**
   * Rises with every change. Every write that depends on the account is conditional on it. A sign-in, a renewal and the end
   * of a session do not raise the version.
   */
  version: z.int(),
  email: z.string(),
  /** When its owner proved the present address; null until then. */
  provenAt: Timestamp.nullable(),
  /**
   * When the owner of the address took the account back, see `TakeBack`; null if that never happened. Earlier records belong
   * to the person who had registered the address.
   */
  takenBackAt: Timestamp.nullable(),
  /** Rises with every new password, which voids proofs by an earlier one. The hash is stored in an item of its own. */
  passwordRevision: z.int(),
  /**
   * Replaced by a ban, by the first reset of a never verified address, and by an undone change of address. Links mailed
   * before are then void, except those that undo a change of address.
   */
  registration: RegistrationId,
  /** Null only after the first reset of a never verified address, until the address's owner enters a name. */
  name: z.string().nullable(),
  phone: z.string().nullable(),
  /** The language of mail and notifications; an unknown one, of a newer version, reads as English. */
  locale: Locale.catch('en'),
  status: AccountStatus,
  banReason: z.string().nullable(),
  /** When the present ban began; null without one. */
  bannedAt: Timestamp.nullable(),
  /** The version of the agent in the search's copy: rises with every change of the status or of `eligibleUntil`. */
  eligibilityRevision: z.int(),
  /** Live sessions, at most 50, and when each ends in Unix seconds. */
  sessions: z.record(z.string(), z.number()),
  /** When each network of the account's sessions was last used, in Unix seconds, keyed by `networkMarkIn`. */
  knownNetworks: z.record(z.string(), z.int()),
  /** Rises with every new password and sign-out everywhere: device tokens of earlier ones are void. */
  deviceRevision: z.int(),
  /** Former addresses that can be brought back, oldest first. */
  formerAddresses: z.array(FormerAddress),
  /** The newest request to change the address: only its link works. Null without a request. */
  emailChangeId: MailId.nullable(),
  /** When the address was changed in the last 72 hours, in Unix seconds. */
  emailChangesAt: z.array(z.int()),
  agent: AgentProfile.nullable(),
  /** The limits an administrator set for this agent; null without any. */
  listingLimits: OwnListingLimits.nullable().default(null),
  kyc: KycState,
  factors: FactorSummary,
  /** The hash of each API key by its id, expired keys included. A key that is not listed here is refused. */
  apiKeys: z.record(z.string(), z.string()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Account = z.infer<typeof Account>

/** The user's own view of their account. */
export const UserView = z
  .object({
    id: UserId,
    email: z.string().meta({ example: 'awa@example.com' }),
    emailVerified: z.boolean(),
    name: z.string().nullable().meta({ example: 'Awa Koné' }),
    phone: z.string().nullable().meta({ example: '+2250700000000' }),
    locale: Locale.meta({ description: 'The language of mail and notifications' }),
    roles: z.array(z.enum(['user', 'agent'])),
    kycStatus: KycStatus,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'User' })

/** Makes the user's own view of their account. */
export const userView = (account: Account, now: Date): z.infer<typeof UserView> => ({
  // The answer's schema drops the other fields of the account.
  ...account,
  emailVerified: account.provenAt !== null,
  roles: rolesOf(account),
  kycStatus: currentStatus(account.kyc, now),
})

/** Returns the roles of a user, who is an agent as soon as they have an agent profile. */
export const rolesOf = ({ agent }: Pick<Account, 'agent'>): ('user' | 'agent')[] =>
  agent ? ['user', 'agent'] : ['user']

/**
 * Returns until when customers may see this agent and their listings; null if they may not. An agent is eligible to
 * publish while verified, with a decided agent profile, and not banned.
 */
export const eligibleUntil = ({ status, agent, kyc }: Account): Timestamp | null =>
  status === 'ACTIVE' && agent !== null && !kyc.agentWaits && kyc.status === 'VERIFIED'
    ? (kyc.expiresAt ?? NEVER)
    : null

/** Whether customers may see this agent and their listings now. */
export const isEligibleToPublish = (account: Account, now: Date): boolean => {
  const until = eligibleUntil(account)
  return until !== null && until > timestamp(now)
}

/** An id that no account has. Reading it takes as long as reading an account. */
export const NOBODY = UserId.parse('usr_00000000000000000000000000')

/**
 * Returns the form in which addresses are compared: letter case, Unicode's compatible spellings and that of the domain do
 * not count.
 */
export const emailKeyOf = (email: string): string => withAsciiDomain(email.normalize('NFKC').toLowerCase())
