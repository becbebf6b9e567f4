import type { Account } from '#lib/accounts/account'
import { timeOfId } from '#lib/kernel/id'
import type { Payment } from './state/payment.ts'

/** The part of an account that says which payments are its own. */
export type Payer = Pick<Account, 'id' | 'takenBackAt'>

/**
 * Whether a payment is the account's. One that was started before the owner of the address took the account back is
 * somebody else's: only administrators see it.
 */
export const isPayer = ({ id, takenBackAt }: Payer, payment: Pick<Payment, 'id' | 'userId'>): boolean =>
  payment.userId === id && (takenBackAt === null || timeOfId(payment.id) > Date.parse(takenBackAt))

/** Returns the present name of a payment's payer, whose account is given; null once it is erased, or somebody else's. */
export const payerNameOf = (
  account: (Payer & Pick<Account, 'name'>) | undefined,
  payment: Pick<Payment, 'id' | 'userId'>,
): string | null => (account && isPayer(account, payment) ? account.name : null)
