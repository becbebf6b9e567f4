import { DomainError } from '#lib/kernel/domain-error'
import type { Write } from '#lib/kernel/write'
import type { Account } from './account.ts'
import type { AccountReaderWithChecks } from './account-store.ts'

/**
 * Makes a transaction a `WriteConflict` once its caller's account is deleted, banned or given back to its owner: each of
 * the last two replaces the registration, and what follows covers only what it finds.
 */
export const requireRegistration = (
  { accounts }: { accounts: Pick<AccountReaderWithChecks, 'requireUnchanged'> },
  { id, registration }: Account,
): Write => accounts.requireUnchanged(id, { registration })

/** Throws `unauthenticated` where `requireRegistration` was the reason for a conflict. */
export async function refuseAnotherRegistration(
  { accounts }: { accounts: Pick<AccountReaderWithChecks, 'get'> },
  { id, registration }: Account,
): Promise<void> {
  if ((await accounts.get(id))?.registration !== registration) throw new DomainError('unauthenticated')
}
