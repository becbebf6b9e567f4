import { type Journal, newAction } from '#lib/journal/journal'
import type { NewId } from '#lib/kernel/id'

type Deps = { journal: Journal; newId: NewId }

/**
 * Records in the journal that the ledger was read, with the names of the given parameters and the ids of the postings on
 * a page. A file may hold too many to name, and balances have none.
 */
export async function journalReading(
  { journal, newId }: Deps,
  by: string,
  given: Record<string, unknown>,
  ids?: readonly string[],
): Promise<void> {
  const parameters = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const details = { parameters, ...(ids && { ids: [...ids] }) }
  const action = { by, subject: 'ledger', action: 'ledger.viewed' as const, details }
  await journal.commit([journal.record(newAction(newId, action))])
}
