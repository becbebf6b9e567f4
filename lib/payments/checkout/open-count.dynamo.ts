import { DomainError } from '#lib/kernel/domain-error'
import type { Write } from '#lib/kernel/write'
import { OPEN_LIMIT } from '#lib/payments/open-payments'
import type { Payment } from '#lib/payments/payment'
import { openPaymentsKey } from '#lib/payments/payment.keys'

const OPEN = { kind: 'open-payments' }

/** Counts a new payment as open. Throws `open_payment_limit_reached` where its payer has twenty. */
export const oneMoreOpen = ({ userId }: Payment): Write => ({
  update: openPaymentsKey(userId),
  set: OPEN,
  add: { open: 1 },
  when: { absentOrBelow: { attribute: 'open', value: OPEN_LIMIT } },
  otherwise: () => new DomainError('open_payment_limit_reached'),
})

/** Counts a payment that has left PENDING. */
export const oneLessOpen = ({ userId }: Payment): Write => ({
  update: openPaymentsKey(userId),
  set: OPEN,
  add: { open: -1 },
})
