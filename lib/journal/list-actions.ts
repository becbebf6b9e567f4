import * as z from 'zod'
import { Moment } from '#lib/kernel/clock'
import type { Cursors } from '#lib/kernel/cursor'
import { ActionId } from '#lib/kernel/id'
import { answerPage, PageQuery } from '#lib/kernel/page'
import type { JournalReader } from './journal.ts'

/** Which entries to show: `from` is included, `to` is not. */
export const ActionsQuery = PageQuery.extend({
  by: z.string().min(1).max(300).optional().meta({ description: 'An administrator’s subject' }),
  subject: z.string().min(1).max(100).optional().meta({ description: 'The id of what was acted on' }),
  from: Moment.optional(),
  to: Moment.optional(),
})

/** Lists the journal, newest first. */
export const listActions = (
  { journal, cursors }: { journal: JournalReader; cursors: Cursors },
  { limit, cursor, ...filters }: z.output<typeof ActionsQuery>,
) => {
  const { by, subject, from, to } = filters
  const filter = { by, subject, from: dateOf(from), to: dateOf(to) }
  return answerPage(cursors, { list: 'actions', filters, position: ActionId }, cursor, (after) =>
    journal.list(filter, { limit, after }),
  )
}

const dateOf = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)
