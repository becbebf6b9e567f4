import * as z from 'zod'
import { FactorMethod } from '#lib/accounts/account'
import { ApiKeyScope } from '#lib/accounts/api-keys/scope'
import { KycStatus } from '#lib/accounts/kyc-state'
import { StepUpOptions } from '#lib/accounts/sessions/step-up'
import type { ProblemMembers } from '#lib/http/document/problem-schema'
import { Timestamp } from '#lib/kernel/clock'
import { CONSOLE_ROLES } from '#lib/kernel/console-role'
import { ListingId, PaymentId } from '#lib/kernel/id'
import { Availability, ListingStatus } from '#lib/listings/listing'
import { PaymentRequestStatus } from '#lib/payment-requests/payment-request'
import { CallbackStatus } from '#lib/payments/callbacks/callback'
import { RefundView } from '#lib/payments/payment-view'
import { PaymentStatus } from '#lib/payments/state/payment-status'
import { PayoutStatus } from '#lib/payouts/payout'

const transition = <Status extends z.ZodType>(status: Status) =>
  z.object({ from: status, to: status, allowed: z.array(status) })

/** The members that a code adds to its problems. */
export const PROBLEM_MEMBERS = {
  forbidden: z.object({
    needs: z
      .array(z.enum([...CONSOLE_ROLES, ...ApiKeyScope.options]))
      .optional()
      .meta({
        description:
          'The roles or scopes of which the caller needs one; absent if the refusal has another reason',
      }),
  }),
  step_up_required: z.object({
    methods: z
      .array(StepUpOptions.shape.methods.element)
      .optional()
      .meta({ description: 'What `POST /auth/step-up` takes; administrators sign in again instead' }),
  }),
  second_factor_required: z.object({
    challenge: z.string(),
    methods: z.array(FactorMethod),
    passkeyOptions: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'WebAuthn request options as JSON; null without a passkey' }),
  }),
  kyc_transition_not_allowed: transition(KycStatus),
  listing_transition_not_allowed: transition(z.union([ListingStatus, Availability])),
  payment_transition_not_allowed: transition(PaymentStatus),
  payout_transition_not_allowed: transition(PayoutStatus),
  payments_open: z.object({ paymentIds: z.array(PaymentId) }),
  balance_open: z.object({
    balances: z.array(
      z.object({ currency: z.string(), pending: z.int(), available: z.int(), onItsWay: z.int() }),
    ),
  }),
  reference_taken: z.object({ listingId: ListingId }),
  payout_exceeds_balance: z.object({ available: z.int() }),
  refund_exceeds_payment: z.object({ left: z.int() }),
  refund_not_resolvable: z.object({ refundStatus: RefundView.shape.status }),
  callback_not_resolvable: z.object({ callbackStatus: CallbackStatus }),
  payment_request_in_progress: z.object({ paymentId: PaymentId }),
  payment_request_not_open: z.object({ requestStatus: PaymentRequestStatus }),
  already_claimed: z.object({ by: z.string(), until: Timestamp }),
  payment_refused: z.object({ providerCode: z.string().nullable(), paymentId: PaymentId }),
} satisfies ProblemMembers
