import { DAY_SECONDS, HOUR_SECONDS } from '#lib/kernel/clock'
import type { UserId } from '#lib/kernel/id'
import type { Quota, Quotas } from '#lib/kernel/quota'
import type { Write } from '#lib/kernel/write'

/** The number of enquiries that a customer may begin. */
const ENQUIRIES: Quota = { policy: 'enquiries', limit: 20, windowSeconds: DAY_SECONDS }

/** The number of messages that a person may send, first questions included. */
const MESSAGES: Quota = { policy: 'messages', limit: 100, windowSeconds: HOUR_SECONDS }

/** The number of reports that a person may make, of listings and enquiries together. */
const REPORTS: Quota = { policy: 'reports', limit: 10, windowSeconds: HOUR_SECONDS }

/** Counts a message, and the enquiry that it begins. */
export const countMessage = (
  quotas: Quotas,
  userId: UserId,
  at: Date,
  { isFirst = false }: { isFirst?: boolean } = {},
): Write[] => [...(isFirst ? [quotas.count(ENQUIRIES, userId, at)] : []), quotas.count(MESSAGES, userId, at)]

/** Counts a report. `subject` is a person or a network. A network may make `limitFactor` times as many reports. */
export const countReport = (
  quotas: Quotas,
  subject: string,
  at: Date,
  { limitFactor = 1 }: { limitFactor?: number } = {},
): Write => quotas.count({ ...REPORTS, limit: REPORTS.limit * limitFactor }, subject, at)
