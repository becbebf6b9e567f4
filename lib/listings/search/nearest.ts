/** A listing at its distance. */
export type Neighbour = { id: string; km: number }

/** Nearer first; at the same distance the higher id first. */
export const compareNeighbours = (a: Neighbour, b: Neighbour): number =>
  a.km - b.km || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/**
 * Keeps the few nearest of many, each once, in any order of arrival: those after one neighbour and not beyond
 * another. An id of '' comes after all others at its distance.
 */
export function nearestOf(max: number, after: Neighbour, upTo: Neighbour, seed: readonly Neighbour[] = []) {
  const kept: Neighbour[] = []
  const isWanted = (neighbour: Neighbour): boolean => {
    if (compareNeighbours(neighbour, after) <= 0) return false
    if (compareNeighbours(neighbour, upTo) > 0) return false
    const last = kept.at(-1)
    return kept.length < max || (last !== undefined && compareNeighbours(neighbour, last) < 0)
  }
  const add = (neighbour: Neighbour): void => {
    if (!isWanted(neighbour)) return
    const place = kept.findIndex((other) => compareNeighbours(neighbour, other) <= 0)
    const known = kept[place]
    if (known && compareNeighbours(neighbour, known) === 0) return
    kept.splice(place === -1 ? kept.length : place, 0, neighbour)
    if (kept.length > max) kept.pop()
  }
  for (const neighbour of seed) add(neighbour)
  return { after, upTo, kept, add, isWanted, isFull: () => kept.length >= max }
}
