import * as z from 'zod'
import type { Cursors } from '#lib/kernel/cursor'
import { CallbackId } from '#lib/kernel/id'
import { answerPage, PageQuery } from '#lib/kernel/page'
import { CallbackStatus } from './callback.ts'
import { ATTENTION, type CallbackReader } from './callback-store.ts'
import { callbackView } from './callback-view.ts'

export const CallbacksQuery = PageQuery.extend({
  status: CallbackStatus.optional(),
  provider: z.string().min(1).max(40).optional(),
})

/** Lists callbacks, newest first; without a filter those that an administrator must look at. */
export async function listCallbacks(
  { callbacks, cursors }: { callbacks: CallbackReader; cursors: Cursors },
  { limit, cursor, ...filters }: z.infer<typeof CallbacksQuery>,
) {
  const { status, provider } = filters
  const paged = { list: 'callbacks', filters, position: CallbackId }
  return answerPage(cursors, paged, cursor, async (after) => {
    // A stored list is of one status, or of one provider.
    const list = status ?? provider ?? ATTENTION
    const { items, next } = await callbacks.list(list, { limit, after })
    const matching = items
      .filter((callback) => status === undefined || callback.status === status)
      .filter((callback) => provider === undefined || callback.provider === provider)
    return { items: matching.map(callbackView), next }
  })
}
