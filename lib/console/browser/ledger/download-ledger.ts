import { api, read } from '../api/client.ts'
import { Refusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'

/** The postings to read: from the UTC day `from` to the day before `to`, of all accounts and currencies by default. */
type LedgerFilter = { from: string; to: string; account?: string; currency?: Schema<'Currency'> }

/** The longest span that the API answers with one file. */
const DAYS_MAX = 92
const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MILLISECONDS

/** Returns the UTC day that is some days after another. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * DAY_MILLISECONDS).toISOString().slice(0, 10)

/** Reads the postings of any span as one CSV: a span too large for one answer is read in halves. */
async function ledgerCsv(filter: LedgerFilter): Promise<string> {
  const { from, to } = filter
  const days = daysBetween(from, to)
  const whole = days <= DAYS_MAX ? await oneFile(filter) : undefined
  if (whole !== undefined) return whole
  if (days <= 1) throw new Refusal({ code: 'payload_too_large', status: 413 })
  const middle = dayAfter(from, Math.ceil(days / 2))
  const first = await ledgerCsv({ ...filter, to: middle })
  const second = await ledgerCsv({ ...filter, from: middle })
  // The header line stands only in the first half.
  return first + second.slice(second.indexOf('\n') + 1)
}

/**
 * Reads the file of a span; undefined where it is so large that the API redirects to a stored file, which no page may
 * read.
 */
async function oneFile(query: LedgerFilter): Promise<string | undefined> {
  const answer = await api.GET('/admin/ledger', {
    params: { query },
    headers: { accept: 'text/csv' },
    parseAs: 'text',
    redirect: 'manual',
  })
  return answer.response.type === 'opaqueredirect' ? undefined : read(Promise.resolve(answer))
}

/** Downloads the postings of a span as a file. */
export async function downloadLedger(filter: LedgerFilter): Promise<void> {
  const file = new Blob([await ledgerCsv(filter)], { type: 'text/csv' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `ledger-${filter.from}-${filter.to}.csv`
  link.click()
  URL.revokeObjectURL(link.href)
}
