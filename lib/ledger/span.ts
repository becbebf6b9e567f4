import * as z from 'zod'
import { DAY_MILLISECONDS } from '#lib/kernel/clock'
import { type FieldError, invalidFields } from '#lib/kernel/domain-error'
import { PageQuery } from '#lib/kernel/page'
import { queryNumber } from '#lib/kernel/query-number'

/** The longest span of a file, in days. */
const FILE_DAYS_MAX = 92

/** The first day of the books. */
export const FIRST_DAY = '2026-11-01'

/** A UTC day, such as `2026-11-20`. */
export const Day = z.iso.date().meta({ example: '2026-11-20' })

/** A span of UTC days: `from` is included, `to` is not. */
export const SpanQuery = z.object({
  from: Day.optional().meta({ description: 'The first UTC day' }),
  to: Day.optional().meta({ description: 'The UTC day after the last one' }),
})

/** The size of a page when the request gives none. */
export const PAGE_DEFAULT = 20

/** The query of a list that is also read as a CSV file. `limit` has no default here: `fileSpan` refuses any. */
export const FilePageQuery = PageQuery.extend({
  limit: queryNumber(z.number().int().min(1).max(100)).optional(),
})

/** A span as it was asked for. */
type Span = { from?: string | undefined; to?: string | undefined }

/** Throws `validation_failed` where a span ends before it begins. */
export function refuseReversedSpan({ from, to }: Span): void {
  if (from !== undefined && to !== undefined && to < from) {
    throw invalidFields([{ path: 'to', code: 'invalid_value', message: 'must not be before from' }])
  }
}

/** Returns the span of a file. Throws `validation_failed` unless it has both days, at most 92 apart, and no page query. */
export function fileSpan(query: Span & { cursor?: string | undefined; limit?: number | undefined }): {
  from: string
  to: string
} {
  const { from, to, cursor, limit } = query
  const faults: FieldError[] = [
    ...(from === undefined ? [fault('from', 'is required for a file')] : []),
    ...(to === undefined ? [fault('to', 'is required for a file')] : []),
    ...(limit === undefined ? [] : [fault('limit', 'must be absent for a file')]),
    ...(cursor === undefined ? [] : [fault('cursor', 'must be absent for a file')]),
  ]
  if (faults.length > 0 || from === undefined || to === undefined) throw invalidFields(faults)
  refuseReversedSpan({ from, to })
  if ((Date.parse(to) - Date.parse(from)) / DAY_MILLISECONDS > FILE_DAYS_MAX) {
    throw invalidFields([fault('to', `must be at most ${FILE_DAYS_MAX} days after from`)])
  }
  return { from, to }
}

const fault = (path: string, message: string): FieldError => ({ path, code: 'invalid_value', message })

/** Returns the days of a span, oldest first. */
export function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day < to; day = dayAfter(day)) days.push(day)
  return days
}

/** Returns the day after a day. */
export const dayAfter = (day: string): string =>
  new Date(Date.parse(day) + DAY_MILLISECONDS).toISOString().slice(0, 10)
