import * as z from 'zod'
import type { Clock } from '#lib/kernel/clock'
import type { Page } from '#lib/kernel/page'
import { inParallel } from '#lib/kernel/parallel'
import type { Progress } from '#lib/kernel/progress'

const IDS_AT_ONCE = 4

/** A run begins no further page after ten minutes; Lambda ends it after fifteen. */
const RUN_SECONDS = 600

/** The number of items on a page of a list. */
export const WALKED_PAGE = 100

/** The list that the next run continues, and the position in it. */
const Position = z.object({ list: z.int(), after: z.string().optional() })

/** A list of ids, page by page. */
export type WalkedList = (after: string | undefined) => Promise<Page<string, string>>

/**
 * The progress of a run: `changed` counts the ids for which the task returned true. `isDone` is true at the end of the
 * lists.
 */
export type Walked = { walked: number; changed: number; isDone: boolean }

/**
 * Does a task for every id of several lists, four at once. A run stops after ten minutes and stores its position; the next
 * run continues there. If a task fails, the run throws, and the next one begins with the same page.
 */
export async function walkLists(
  { progress, now }: { progress: Progress; now: Clock },
  job: string,
  lists: readonly WalkedList[],
  task: (id: string) => Promise<boolean>,
): Promise<Walked> {
  const endsAt = now().getTime() + RUN_SECONDS * 1000
  let { list, after } = (await progress.read(job, Position)) ?? { list: 0, after: undefined }
  let [walked, changed] = [0, 0]
  for (let readPage = lists[list]; readPage; readPage = lists[list]) {
    if (now().getTime() >= endsAt) return { walked, changed, isDone: false }
    const { items, next } = await readPage(after)
    const results = await inParallel(items, task, { width: IDS_AT_ONCE })
    walked += items.length
    changed += results.filter(Boolean).length
    if (next === undefined) list += 1
    after = next
    await progress.store(job, { list, after })
  }
  await progress.finish(job)
  return { walked, changed, isDone: true }
}

/** Turns a page of records into a page of their ids. */
export const idsOf = <Item, After extends string>(
  { items, next }: Page<Item, After>,
  idOf: (item: Item) => string,
): Page<string, string> => ({ items: items.map(idOf), next })
