import { administrator } from '#lib/accounts/access'
import { cursors } from '#lib/dynamo/cursor'
import { endpoint } from '#lib/http/endpoint'
import { pageOf } from '#lib/kernel/page'
import { callbackReader } from '#lib/payments/callbacks/callback-store.dynamo'
import { CallbackView } from '#lib/payments/callbacks/callback-view'
import { CallbacksQuery, listCallbacks } from '#lib/payments/callbacks/list-callbacks'

export const { spec, handler } = endpoint({
  route: 'GET /admin/payments/callbacks',
  summary: 'The callbacks of payment providers',
  description:
    'Newest first, kept for ninety days. Without a filter only those that an administrator must look at: UNMATCHED, ' +
    'MISMATCHED, CONFLICT and FAILED.',
  access: administrator(['payments']),
  input: { query: CallbacksQuery },
  output: { 200: pageOf(CallbackView) },
  problems: ['invalid_cursor'],
  deps: { callbacks: callbackReader, cursors },
  run: ({ query }, deps) => listCallbacks(deps, query),
})
