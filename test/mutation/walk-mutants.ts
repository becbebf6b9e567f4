import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, type RunnerTestSuite } from 'vitest'
import { type Entry, type Plan, parseLog, remaining } from './mutant.ts'

// Set up with each test file, and again for each run of it. A file runs as it is, then once more, since a test that fails the
// second time proves nothing; then once for each mutant that its tests reach and that still lives, until the first test fails.
// Modules stay loaded all the while. The worker runs the files of a list that we add to.

type Run =
  | { kind: 'cover'; file: string }
  | { kind: 'repeat'; file: string }
  | { kind: 'mutant'; file: string; id: number }

type Walk = {
  plan: Plan
  /** Mutants that no test has noticed, with the milliseconds they have lived. */
  living: Map<number, number>
  files: string[]
  queue: Run[]
  run: Run
  /** By test: which mutants it reaches. */
  reached: Map<string, Set<number>>
  reaching: Set<number>
  /** Tests that fail by themselves or take too long. */
  unfit: Set<string>
  turns: number
  mostTurns: number
  isReached: boolean
  hasFailed: boolean
  startedAt: number
  testStartedAt: number
}

type Worker = { filepath: string; ctx: { files: { filepath: string }[] } }

const ROOT = join(import.meta.dirname, '../..')
const directory = process.env['MUTATION'] ?? ''
const worker = Reflect.get(globalThis, '__vitest_worker__') as Worker
const walk: Walk = Reflect.get(globalThis, 'mutationWalk') ?? begin()
start()

function begin(): Walk {
  const plan = JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as Plan
  const entries = parseLog(readFileSync(join(directory, 'log.jsonl'), 'utf8'))
  const begun: Walk = {
    plan,
    ...remaining(plan, entries),
    queue: [],
    run: { kind: 'cover', file: '' },
    reached: new Map(),
    reaching: new Set(),
    unfit: new Set(),
    turns: 0,
    mostTurns: 0,
    isReached: false,
    hasFailed: false,
    startedAt: 0,
    testStartedAt: 0,
  }
  Object.assign(globalThis, { mutationWalk: begun, isMutated, countTurn })
  begun.run = nextRun(begun) ?? begun.run
  return begun

  function isMutated(id: number): boolean {
    if (begun.run.kind !== 'mutant') {
      begun.reaching.add(id)
      return false
    }
    if (begun.run.id !== id) return false
    countTurn()
    begun.isReached = true
    return true
  }

  function countTurn(): void {
    begun.turns += 1
    if (begun.run.kind === 'mutant' && begun.turns > begun.mostTurns) throw new Error('Too many turns')
  }
}

function log(entry: Entry): void {
  appendFileSync(join(directory, 'log.jsonl'), `${JSON.stringify(entry)}\n`)
}

function nextRun(of: Walk): Run | undefined {
  const next = of.queue.shift()
  if (next) return next
  const file = of.living.size === 0 ? undefined : of.files.shift()
  return file === undefined ? undefined : { kind: 'cover', file }
}

function start(): void {
  const { run } = walk
  walk.turns = 0
  walk.hasFailed = false
  walk.isReached = false
  walk.startedAt = performance.now()
  if (run.kind === 'cover') {
    walk.reached = new Map()
    walk.unfit = new Set()
    walk.mostTurns = 0
    log({ kind: 'opened', file: run.file })
  }
  if (run.kind === 'mutant') log({ kind: 'tried', id: run.id, file: run.file })
  walk.reaching = new Set()
}

beforeAll(() => {
  walk.reaching = reachedBy('')
})

beforeEach(({ task, skip }) => {
  const { run } = walk
  if (run.kind === 'mutant' && (walk.hasFailed || !reaches(task.id, run.id))) skip()
  walk.reaching = reachedBy(task.id)
  walk.testStartedAt = performance.now()
})

afterEach(({ task }) => {
  walk.reaching = reachedBy('')
  const hasFailed = task.result?.state === 'fail'
  const isSlow = performance.now() - walk.testStartedAt > walk.plan.secondsEach * 500
  if (walk.run.kind !== 'mutant' && (hasFailed || isSlow)) walk.unfit.add(task.id)
  if (walk.run.kind === 'mutant' && hasFailed && !walk.hasFailed) killed(task.name)
})

// A suite is given its result after its last hook, but what its first hook threw stands there already.
// biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern here, and the suite comes second.
afterAll(({}, suite) => {
  const { run } = walk
  if (run.kind === 'mutant') {
    if (!walk.hasFailed && hasFailedHook(suite)) killed('hooks')
    else if (!walk.hasFailed) lived(run)
  } else if (!suite.result?.errors?.length) {
    if (run.kind === 'repeat') walk.queue = mutantsOf(run.file)
    else if (mutantsOf(run.file).length > 0) walk.queue = [{ ...run, kind: 'repeat' }]
    walk.mostTurns = Math.max(walk.mostTurns, walk.turns * 10 + 100_000)
  }
  goOn()
})

function hasFailedHook(suite: Readonly<RunnerTestSuite>): boolean {
  if (suite.result?.errors?.length) return true
  return suite.tasks.some((task) => task.type === 'suite' && hasFailedHook(task))
}

function goOn(): void {
  if (walk.queue.length === 0) log({ kind: 'closed', file: walk.run.file })
  const next = nextRun(walk)
  if (next === undefined) return
  walk.run = next
  worker.ctx.files.push({ ...worker.ctx.files[0], filepath: join(ROOT, next.file) })
}

function reachedBy(test: string): Set<number> {
  const known = walk.reached.get(test) ?? new Set()
  walk.reached.set(test, known)
  return known
}

/** What hooks reach, every test does. */
function reaches(test: string, id: number): boolean {
  if (walk.unfit.has(test)) return false
  return Boolean(walk.reached.get(test)?.has(id) || walk.reached.get('')?.has(id))
}

function mutantsOf(file: string): Run[] {
  return [...walk.living]
    .filter(([, milliseconds]) => milliseconds < walk.plan.secondsEach * 1_000)
    .filter(([id]) => [...walk.reached.keys()].some((test) => reaches(test, id)))
    .map(([id]) => ({ kind: 'mutant', file, id }))
}

function killed(test: string): void {
  const { run } = walk
  if (run.kind !== 'mutant') return
  walk.hasFailed = true
  walk.living.delete(run.id)
  log({ kind: 'killed', id: run.id, file: run.file, test })
}

function lived({ id, file }: Run & { kind: 'mutant' }): void {
  const milliseconds = Math.round(performance.now() - walk.startedAt)
  // A value that is computed once for all tests is not computed again.
  if (walk.isReached) walk.living.set(id, (walk.living.get(id) ?? 0) + milliseconds)
  log({ kind: 'lived', id, file, milliseconds })
}
