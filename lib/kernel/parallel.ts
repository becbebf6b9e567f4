/**
 * Does a task for every item, at most `width` at once, and answers the results in the items' order. A failure
 * keeps none of the others from being done; then the first is thrown.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const waiting = items.entries()
  const results: Result[] = []
  const failures: unknown[] = []
  const work = async () => {
    // One iterator for all: each takes the next item that nobody has taken.
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
