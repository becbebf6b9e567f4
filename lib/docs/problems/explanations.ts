import type { ProblemCode } from '#lib/kernel/domain-error'
import { ACCOUNT_PROBLEMS } from './accounts.ts'
import type { Explanation } from './explanation.ts'
import { LISTING_PROBLEMS } from './listings.ts'
import { PAYMENT_PROBLEMS } from './payments.ts'
import { REQUEST_PROBLEMS } from './requests.ts'

/** Explains every problem there is, in the order of the page. A new code does not compile without its words. */
export const EXPLANATIONS: Record<ProblemCode, Explanation> = {
  ...REQUEST_PROBLEMS,
  ...ACCOUNT_PROBLEMS,
  ...LISTING_PROBLEMS,
  ...PAYMENT_PROBLEMS,
}
