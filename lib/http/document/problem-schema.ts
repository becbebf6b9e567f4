import * as z from 'zod'
import { PROBLEMS } from '#lib/http/problems'
import { Timestamp } from '#lib/kernel/clock'
import type { FieldError, ProblemCode } from '#lib/kernel/domain-error'
import { ListingId, PaymentId } from '#lib/kernel/id'
import type { DocumentedContent } from './operation.ts'
import { type Json, jsonSchema, referenceTo } from './schemas.ts'

type Fields = Record<keyof FieldError, z.ZodType>

z.object({
  type: z.string().meta({ description: 'A stable address that ends in the code' }),
  title: z.string().meta({ description: 'The same for every occurrence of a code' }),
  status: z.int(),
  code: z.enum(Object.keys(PROBLEMS)),
  detail: z.string().meta({ description: 'This occurrence' }),
  requestId: z.string(),
  errors: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() } satisfies Fields))
    .optional(),
}).meta({
  id: 'Problem',
  description: 'RFC 9457. Some codes add members: each has a schema of its own.',
})

const transition = z.object({ from: z.string(), to: z.string(), allowed: z.array(z.string()) })

/** The members that a code adds to its problems. */
export const PROBLEM_MEMBERS: Partial<Record<ProblemCode, z.ZodObject>> = {
  forbidden: z.object({
    needs: z
      .array(z.string())
      .optional()
      .meta({ description: 'The roles or scopes of which one would do, where that is what lacks' }),
  }),
  step_up_required: z.object({
    methods: z
      .array(z.string())
      .optional()
      .meta({ description: 'What `POST /auth/step-up` takes; administrators sign in again instead' }),
  }),
  second_factor_required: z.object({
    challenge: z.string(),
    methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
    passkeyOptions: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'WebAuthn request options as JSON; null without a passkey' }),
  }),
  kyc_transition_not_allowed: transition,
  listing_transition_not_allowed: transition,
  payment_transition_not_allowed: transition,
  payout_transition_not_allowed: transition,
  payments_open: z.object({ paymentIds: z.array(PaymentId) }),
  balance_open: z.object({
    balances: z.array(
      z.object({ currency: z.string(), pending: z.int(), available: z.int(), onItsWay: z.int() }),
    ),
  }),
  reference_taken: z.object({ listingId: ListingId }),
  payout_exceeds_balance: z.object({ available: z.int() }),
  refund_exceeds_payment: z.object({ left: z.int() }),
  refund_not_resolvable: z.object({ refundStatus: z.string() }),
  callback_not_resolvable: z.object({ callbackStatus: z.string() }),
  payment_request_in_progress: z.object({ paymentId: PaymentId }),
  payment_request_not_open: z.object({ requestStatus: z.string() }),
  already_claimed: z.object({ by: z.string(), until: Timestamp }),
  payment_refused: z.object({ providerCode: z.string().nullable(), paymentId: PaymentId }),
}

/** What a client reads of refusals with one status: the problem of each code, to be told apart by `code`. */
export function problemContent(codes: readonly ProblemCode[]): DocumentedContent {
  const schemas = codes.map((code) => ({ $ref: placeOf(code) }))
  const [only, ...others] = schemas
  return { 'application/problem+json': { schema: only && others.length === 0 ? only : { oneOf: schemas } } }
}

/** Returns the schemas of the problems that a part of the document refers to, by name. */
export function problemSchemas(part: Json): Json {
  const text = JSON.stringify(part)
  const used = (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => text.includes(`"${placeOf(code)}"`))
  return Object.fromEntries(used.map((code) => [nameOf(code), problemSchema(code)]))
}

function problemSchema(code: ProblemCode): Json {
  const members = PROBLEM_MEMBERS[code]
  const { properties = {}, required = [] } = members ? jsonSchema(members, 'output') : {}
  const own = {
    type: 'object',
    properties: { code: { type: 'string', const: code }, ...(properties as Json) },
    required: ['code', ...(required as string[])],
  }
  return { description: PROBLEMS[code][1], allOf: [referenceTo('Problem', 'output'), own] }
}

const placeOf = (code: ProblemCode): string => `#/components/schemas/${nameOf(code)}`

/** A code as a name: `reference_taken` is `ReferenceTakenProblem`. */
const nameOf = (code: ProblemCode): string =>
  `${code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Problem`
