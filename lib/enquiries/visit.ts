import { invalidField } from '#lib/kernel/domain-error'
import type { NewEnquiry } from './enquiry.ts'

/** Refuses a question that proposes a visit in the past; throws `validation_failed` about the first such time. */
export function refusePastVisits({ visitAt }: NewEnquiry, now: Date): void {
  const past = (visitAt ?? []).findIndex((at) => Date.parse(at) <= now.getTime())
  if (past !== -1) throw invalidField(`visitAt[${past}]`, 'must be in the future')
}
