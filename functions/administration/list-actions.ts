import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { Action } from '#lib/journal/journal'
import { journalReader } from '#lib/journal/journal.dynamo'
import { ActionsQuery, listActions } from '#lib/journal/list-actions'
import { pageOf } from '#lib/kernel/page'

export const { spec, handler } = endpoint({
  route: 'GET /admin/actions',
  summary: 'What administrators did',
  description:
    'The journal, newest first: every decision, ban, moderation, refund, replay, resolution and look at a document or ' +
    'an enquiry. `from` is included, `to` is not. Dry runs and claims leave no entry.',
  access: administrator(['auditor']),
  input: { query: ActionsQuery },
  output: { 200: pageOf(Action) },
  problems: ['invalid_cursor'],
  deps: { journal: journalReader, cursors },
  run: ({ query }, deps) => listActions(deps, query),
})
