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

/** A line of the log, which outlives a process that a mutant stops. */
export type Entry =
  | { kind: 'opened' | 'closed'; file: string }
  | { kind: 'tried'; id: number; file: string }
  | { kind: 'lived'; id: number; file: string; milliseconds: number }
  | { kind: 'killed'; id: number; file: string; test: string }

/** Lines that are written while this is read are left for the next time. */
export function parseLog(text: string): Entry[] {
  const end = text.lastIndexOf('\n')
  return end < 0
    ? []
    : text
        .slice(0, end)
        .split('\n')
        .map((line) => JSON.parse(line))
}

/** What is left to do: mutants that live, with the milliseconds they have lived in tests, and test files. */
export function remaining(
  plan: Plan,
  entries: readonly Entry[],
): { living: Map<number, number>; files: string[] } {
  const living = new Map(plan.mutants.map(({ id }) => [id, 0]))
  const closed = new Set<string>()
  for (const entry of entries) {
    if (entry.kind === 'killed') living.delete(entry.id)
    if (entry.kind === 'lived') living.set(entry.id, (living.get(entry.id) ?? 0) + entry.milliseconds)
    if (entry.kind === 'closed') closed.add(entry.file)
  }
  return { living, files: plan.testFiles.filter((file) => !closed.has(file)) }
}
