import type { Schema } from '../api/schemas.ts'
import { Count } from '../parts/text.tsx'
import { overview } from './overview.ts'

const QUEUES: Readonly<Record<string, keyof Schema<'Overview'>['waiting']>> = {
  identities: 'kyc',
  listings: 'listings',
  reports: 'reports',
  enquiries: 'enquiries',
  payments: 'disputes',
  callbacks: 'callbacks',
  payouts: 'payouts',
}

/** Shows the number of items that wait on a page, where any does: of payments, the disputes. */
export function MenuCount({ page }: { page: string }) {
  const queue = QUEUES[page]
  const waiting = queue && overview.value.value?.waiting[queue]
  return waiting && waiting.count > 0 ? <Count of={waiting.count} /> : null
}
