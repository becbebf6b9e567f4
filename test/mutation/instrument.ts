import type { Mutant } from './mutant.ts'

/**
 * Returns a file's text with all its mutants in it: `isMutated` of `walk-mutants.ts` says which of them is in force. The turns
 * of loops are counted, so that an endless one ends.
 */
export function instrument(text: string, mutants: readonly Mutant[], loops: readonly number[]): string {
  const places = new Map<string, Mutant[]>()
  for (const mutant of mutants) {
    const place = `${mutant.start} ${mutant.end}`
    places.set(place, [...(places.get(place) ?? []), mutant])
  }
  const outerFirst = [...places.values()].sort(
    ([one], [other]) => (one?.start ?? 0) - (other?.start ?? 0) || (other?.end ?? 0) - (one?.end ?? 0),
  )
  let next = 0
  const turns = [...loops].sort((one, other) => one - other)
  const copy = (from: number, to: number): string => {
    let copied = ''
    let at = from
    for (;;) {
      const turn = turns[0] ?? Number.POSITIVE_INFINITY
      const group = outerFirst[next]
      const start = group?.[0]?.start ?? Number.POSITIVE_INFINITY
      if (Math.min(turn, start) >= to) return copied + text.slice(at, to)
      if (turn <= start) {
        turns.shift()
        copied += `${text.slice(at, turn)} countTurn();`
        at = turn
      } else if (group?.[0]) {
        next += 1
        copied += text.slice(at, start) + switched(group, copy(start, group[0].end))
        at = group[0].end
      }
    }
  }
  return copy(0, text.length)
}

function switched(mutants: readonly Mutant[], original: string): string {
  const [first] = mutants
  if (first?.isBlock) return `{ if (isMutated(${first.id})) {} else ${original} }`
  const choices = mutants.map(({ id, replacement }) => `isMutated(${id}) ? (${replacement}) : `)
  return `${first?.beginsStatement ? ';' : ''}(${choices.join('')}(${original}))`
}
