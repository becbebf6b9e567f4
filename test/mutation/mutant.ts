/** One change to a source file that a test should notice. */
export type Mutant = {
  id: number
  /** From the root. */
  path: string
  line: number
  operator: string
  /** What is replaced in the file's text, and with what. */
  start: number
  end: number
  replacement: string
  /** A block is replaced as a statement, an expression within parentheses. */
  isBlock: boolean
  /** A parenthesis here would call the line before: the house writes no semicolons. */
  beginsStatement: boolean
}

/** What the process of the tests is given. */
export type Plan = {
  mutants: Mutant[]
  /** Where the turns of each file's loops are counted. */
  loops: Record<string, number[]>
  /** In their order: those next to the code first. */
  testFiles: string[]
  /** A mutant that lived so long in tests is given up. */
  secondsEach: number
}

/** What the tests of a file reach. Its hooks reach what each of its tests does. */
export type Coverage = {
  file: string
  /** What the file takes without its tests. */
  milliseconds: number
  /** Of loops. */
  turns: number
  hooks: number[]
  tests: { test: string; ids: number[]; milliseconds: number }[]
}

/** A line of the log, which outlives a process that a mutant stops. */
export type Entry =
  | { kind: 'opened' | 'covered'; file: string }
  | { kind: 'tried'; id: number; file: string }
  | { kind: 'lived'; id: number; file: string; milliseconds: number }
  | { kind: 'killed'; id: number; file: string; test: string; isTimedOut: boolean }
  | { kind: 'ended' }

/** Parses lines of JSON. One that is being written is left for the next time. */
export function parseLines<Line>(text: string): Line[] {
  const end = text.lastIndexOf('\n')
  return end < 0
    ? []
    : text
        .slice(0, end)
        .split('\n')
        .map((line) => JSON.parse(line))
}

/** What is left to do: files to cover, and mutants with the files in which they lived and the milliseconds there. */
export function remaining(plan: Plan, entries: readonly Entry[]) {
  const living = new Map(plan.mutants.map(({ id }) => [id, 0]))
  const lived = new Map<number, Set<string>>()
  const covered = new Set<string>()
  for (const entry of entries) {
    if (entry.kind === 'killed') living.delete(entry.id)
    if (entry.kind === 'lived') {
      living.set(entry.id, (living.get(entry.id) ?? 0) + entry.milliseconds)
      lived.set(entry.id, new Set(lived.get(entry.id)).add(entry.file))
    }
    if (entry.kind === 'covered') covered.add(entry.file)
  }
  const hasEnded = living.size === 0 || entries.some(({ kind }) => kind === 'ended')
  return { living, lived, files: plan.testFiles.filter((file) => !covered.has(file)), hasEnded }
}
