import * as z from 'zod'
import { DAY_SECONDS, secondsAfter, timestamp } from '#lib/kernel/clock'
import type { Enquiry } from './enquiry.ts'

/** The number of days whose enquiries an agent's statistics cover. */
export const DAYS_COUNTED = 90
/** An agent with fewer enquiries has no statistics: so few prove nothing. */
const ENQUIRIES_MIN = 5
/** An agent has this long to answer before an enquiry counts as unanswered. */
const ANSWER_SECONDS = DAY_SECONDS

/** An agent's statistics of answers. */
export const Answers = z
  .object({
    share: z.number().min(0).max(1).nullable().meta({
      example: 0.94,
      description:
        'The answered share of the enquiries older than 24 hours, to two decimals; null if there are none',
    }),
    medianMinutes: z.int().nullable().meta({
      example: 42,
      description:
        'The median time to the first answer, the lower one of an even number; null without an answer',
    }),
  })
  .meta({ id: 'Answers' })

/** Returns how an agent answered enquiries; null where they are too few. */
export function answersOf(enquiries: readonly Enquiry[], now: Date): z.infer<typeof Answers> | null {
  if (enquiries.length < ENQUIRIES_MIN) return null
  const latestDue = timestamp(secondsAfter(now, -ANSWER_SECONDS))
  const due = enquiries.filter(({ createdAt }) => createdAt < latestDue)
  const answered = due.filter(({ answeredAt }) => answeredAt !== null)
  // The median includes the answers to enquiries that are not due yet.
  const minutes = enquiries
    .flatMap(({ createdAt, answeredAt }) =>
      answeredAt === null ? [] : [Math.floor((Date.parse(answeredAt) - Date.parse(createdAt)) / 60_000)],
    )
    .sort((one, other) => one - other)
  return {
    share: due.length === 0 ? null : Math.round((answered.length * 100) / due.length) / 100,
    medianMinutes: minutes[Math.floor((minutes.length - 1) / 2)] ?? null,
  }
}
