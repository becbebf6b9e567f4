import { api, read } from '../api/client.ts'
import { Refusal } from '../api/refusal.ts'
import type { Schema } from '../api/schemas.ts'

type Callback = Schema<'Callback'>

const seen = new Map<string, Callback>()

/** Keeps callbacks that a list has shown: the API answers none by its id. */
export const rememberCallbacks = (items: readonly Callback[]): void => {
  for (const item of items) seen.set(item.id, item)
}

/** A callback by its id: a replay that does nothing answers it as it is now. */
export async function readCallback(id: string): Promise<Schema<'CallbackReplay'>> {
  const replay = await dryRun(id).catch((thrown: unknown) => {
    const callback = seen.get(id)
    // One that cannot be replayed is shown as its list has shown it.
    if (callback === undefined || !(thrown instanceof Refusal) || thrown.problem.status >= 500) throw thrown
    return { dryRun: true, callback, wouldChange: null }
  })
  rememberCallbacks([replay.callback])
  return replay
}

const dryRun = (id: string): Promise<Schema<'CallbackReplay'>> =>
  read(
    api.POST('/admin/payments/callbacks/{id}/replay', {
      params: { path: { id } },
      body: { dryRun: true },
    }),
  )
