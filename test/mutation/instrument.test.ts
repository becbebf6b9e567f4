import { describe, expect, it } from 'vitest'
import { instrument } from './instrument.ts'
import type { Mutant } from './mutant.ts'

const TEXT = `let sum = 0
const limit = top
for (const one of given) {
  if (one < limit) { sum += one }
}
note(sum)
return sum`

const mutant = (id: number, original: string, replacement: string, more: Partial<Mutant> = {}): Mutant => {
  const start = TEXT.indexOf(original)
  const place = { path: 'lib/sum.ts', line: 1, start, end: start + original.length }
  return { id, operator: '', replacement, isBlock: false, beginsStatement: false, ...place, ...more }
}

const MUTANTS = [
  mutant(1, 'one < limit', '(one) <= (limit)'),
  mutant(2, 'one < limit', 'true'),
  mutant(3, '{ sum += one }', '{}', { isBlock: true }),
  mutant(4, 'sum += one', 'sum -= (one)'),
  mutant(5, 'note(sum)', 'undefined', { beginsStatement: true }),
]
const LOOP = TEXT.indexOf('{') + 1

/** What the text returns with one mutant in force, what it noted, and how many turns were counted. */
function run(active: number | undefined, given: number[], top: number) {
  const notes: number[] = []
  let turns = 0
  const text = instrument(TEXT, MUTANTS, [LOOP])
  const names = ['given', 'top', 'note', 'isMutated', 'countTurn']
  const sum: unknown = new Function(...names, text)(
    given,
    top,
    (noted: number) => notes.push(noted),
    (id: number) => id === active,
    () => {
      turns += 1
    },
  )
  return { sum, notes, turns }
}

describe('a file with all its mutants', () => {
  it('does what it did while none is in force, and counts the turns of its loops', () => {
    expect(run(undefined, [1, 2, 3], 3)).toEqual({ sum: 3, notes: [3], turns: 3 })
  })

  it.each([
    ['a comparison', 1, 6],
    ['a condition', 2, 6],
    ['a block around another', 3, 0],
    ['an expression in a block', 4, -3],
  ])('does otherwise while one is in force: %s', (_what, id, sum) => {
    expect(run(id, [1, 2, 3], 3)).toMatchObject({ sum, notes: [sum] })
  })

  it('leaves a statement out without calling the line before it', () => {
    expect(run(5, [1], 3)).toEqual({ sum: 1, notes: [], turns: 1 })
  })
})
