/**
 * Does a task for every item, at most `width` at once, and returns the results in the items' order. After a failure the
 * other items are still worked on; then the first failure is thrown.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
  { width = 10 }: { width?: number } = {},
): Promise<Result[]> {
  const waiting = items.entries()
  const results: Result[] = []
  const failures: unknown[] = []
  const work = async () => {
    // All workers share one iterator: each takes the next free item.
    for (const [place, item] of waiting) {
      try {
        results[place] = await task(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: width }, work))
  if (failures.length > 0) throw failures[0]
  return results
}
