import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, type RunnerTestSuite } from 'vitest'
import { type Coverage, type Entry, type Plan, parseLines, remaining } from './mutant.ts'

// Set up with each test file, and again for each run of it. First each file runs as it is, which shows the mutants that each
// of its tests reaches. Then each mutant is tried in those tests alone, file by file and the quickest first, until one fails.
// A test that fails is asked once more without the mutant: one that cannot be repeated proves nothing. Modules stay loaded
// all the while. The worker runs the files of a list that we add to.

type Run =
  | { kind: 'cover'; file: string }
  | { kind: 'idle'; file: string }
  | { kind: 'mutant'; file: string; id: number }
  | { kind: 'verify'; file: string; id: number; test: string; name: string }

type Walk = {
  plan: Plan
  /** Mutants that no test has noticed, with the milliseconds they have lived. */
  living: Map<number, number>
  uncovered: string[]
  coverage: Coverage[]
  /** By mutant: the files still to try, the quickest first. */
  files: Map<number, Coverage[]>
  lived: ReadonlyMap<number, ReadonlySet<string>>
  verified: Set<string>
  unfit: Set<string>
  run: Run
  verify: Run | undefined
  covering: Coverage
  reaching: Set<number>
  reachingByHooks: Set<number>
  turns: number
  isReached: boolean
  hasFailed: boolean
  isTimedOut: boolean
  startedAt: number
  processorAtStart: NodeJS.CpuUsage
  testStartedAt: number
  processorAtTest: NodeJS.CpuUsage
}

const ROOT = join(import.meta.dirname, '../..')
const directory = process.env['MUTATION'] ?? ''
const logPath = join(directory, 'log.jsonl')
const coveragePath = join(directory, 'coverage.jsonl')

const worker = Reflect.get(globalThis, '__vitest_worker__') as { ctx: { files: { filepath: string }[] } }
const walk: Walk = Reflect.get(globalThis, 'mutationWalk') ?? begin()
start()

function begin(): Walk {
  const plan = JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as Plan
  const { living, files, lived } = remaining(plan, parseLines(readFileSync(logPath, 'utf8')))
  const begun: Walk = {
    plan,
    living,
    uncovered: files,
    coverage: existsSync(coveragePath) ? parseLines(readFileSync(coveragePath, 'utf8')) : [],
    files: new Map(),
    lived,
    verified: new Set(),
    unfit: new Set(),
    run: { kind: 'idle', file: '' },
    verify: undefined,
    covering: { file: '', milliseconds: 0, turns: 0, hooks: [], tests: [] },
    reaching: new Set(),
    reachingByHooks: new Set(),
    turns: 0,
    isReached: false,
    hasFailed: false,
    isTimedOut: false,
    startedAt: 0,
    processorAtStart: process.cpuUsage(),
    testStartedAt: 0,
    processorAtTest: process.cpuUsage(),
  }
  Object.assign(globalThis, { mutationWalk: begun, isMutated, countTurn })
  // Where all files were covered before, the first one only opens the list.
  if (files.length > 0) begun.run = nextRun(begun) ?? begun.run
  return begun

  function isMutated(id: number): boolean {
    if (begun.run.kind === 'cover') begun.reaching.add(id)
    if (begun.run.kind !== 'mutant' || begun.run.id !== id) return false
    countTurn()
    begun.isReached = true
    return true
  }

  function countTurn(): void {
    begun.turns += 1
    const most = begun.covering.turns * 10 + 100_000
    if (begun.run.kind === 'mutant' && begun.turns > most) throw new Error('Too many turns')
  }
}

function log(entry: Entry): void {
  appendFileSync(logPath, `${JSON.stringify(entry)}\n`)
}

function nextRun(of: Walk): Run | undefined {
  const uncovered = of.uncovered.shift()
  if (uncovered !== undefined) return { kind: 'cover', file: uncovered }
  for (const [id, milliseconds] of of.living) {
    const files = of.files.get(id) ?? quickestFirst(of, id)
    of.files.set(id, files)
    const next = milliseconds < of.plan.secondsEach * 1_000 ? files.shift() : undefined
    if (next === undefined) continue
    of.covering = next
    return { kind: 'mutant', file: next.file, id }
  }
  return undefined
}

function quickestFirst({ coverage, lived }: Walk, id: number): Coverage[] {
  const cost = ({ milliseconds, hooks, tests }: Coverage) =>
    tests
      .filter(({ ids }) => hooks.includes(id) || ids.includes(id))
      .reduce((sum, test) => sum + test.milliseconds, milliseconds)
  return coverage
    .filter(({ file }) => !lived.get(id)?.has(file))
    .filter(({ hooks, tests }) => tests.some(({ ids }) => hooks.includes(id) || ids.includes(id)))
    .sort((one, other) => cost(one) - cost(other))
}

function start(): void {
  const { run } = walk
  walk.turns = 0
  walk.hasFailed = false
  walk.isReached = false
  walk.startedAt = performance.now()
  walk.processorAtStart = process.cpuUsage()
  walk.reaching = new Set()
  walk.reachingByHooks = new Set()
  if (run.kind === 'cover') {
    walk.covering = { file: run.file, milliseconds: 0, turns: 0, hooks: [], tests: [] }
    log({ kind: 'opened', file: run.file })
  }
  if (run.kind === 'mutant') log({ kind: 'tried', id: run.id, file: run.file })
}

// What a module does when it is loaded is not done again, and counts for no test.
beforeAll(() => {
  walk.reaching = walk.reachingByHooks
})

beforeEach(({ task, skip }) => {
  if (!isAsked(task.id)) skip()
  walk.testStartedAt = performance.now()
  walk.processorAtTest = process.cpuUsage()
  walk.reaching = new Set()
})

afterEach(({ task }) => {
  const hasFailed = task.result?.state === 'fail'
  const milliseconds = performance.now() - walk.testStartedAt
  const isSlow = processorSince(walk.processorAtTest) > walk.plan.secondsEach * 1_000
  if (walk.run.kind === 'cover' && !hasFailed && !isSlow)
    walk.covering.tests.push({ test: task.id, ids: [...walk.reaching], milliseconds })
  walk.reaching = walk.reachingByHooks
  const isTimedOut = task.result?.errors?.some(({ message }) => /timed out/.test(message)) ?? false
  if (walk.run.kind !== 'cover' && hasFailed) failed(task.id, task.name, isTimedOut)
})

// A suite is given its result after its last hook, but what its first hook threw stands there already.
// biome-ignore lint/correctness/noEmptyPattern: Vitest wants a pattern here, and the suite comes second.
afterAll(({}, suite) => {
  const { run } = walk
  if (hasFailedHook(suite)) failed('', 'hooks')
  if (run.kind === 'cover') closeCover()
  else if (run.kind === 'verify') closeVerify(run)
  else if (run.kind === 'mutant' && !walk.hasFailed) lived(run)
  const next = walk.verify ?? nextRun(walk)
  walk.verify = undefined
  if (next === undefined) return log({ kind: 'ended' })
  walk.run = next
  worker.ctx.files.push({ ...worker.ctx.files[0], filepath: join(ROOT, next.file) })
})

function isAsked(test: string): boolean {
  const { run, covering } = walk
  if (run.kind === 'cover' || run.kind === 'idle') return run.kind === 'cover'
  if (walk.hasFailed || walk.unfit.has(`${run.file} ${test}`)) return false
  if (run.kind === 'verify') return run.test === test
  const known = covering.tests.find((each) => each.test === test)
  return known !== undefined && (covering.hooks.includes(run.id) || known.ids.includes(run.id))
}

function hasFailedHook(suite: Readonly<RunnerTestSuite>): boolean {
  if (suite.result?.errors?.length) return true
  return suite.tasks.some((task) => task.type === 'suite' && hasFailedHook(task))
}

function closeCover(): void {
  const { covering } = walk
  covering.hooks = [...walk.reachingByHooks]
  covering.turns = walk.turns
  const ofTests = covering.tests.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  covering.milliseconds = Math.max(0, performance.now() - walk.startedAt - ofTests)
  if (!walk.hasFailed) {
    walk.coverage.push(covering)
    appendFileSync(coveragePath, `${JSON.stringify(covering)}\n`)
  }
  log({ kind: 'covered', file: covering.file })
}

function failed(test: string, name: string, isTimedOut = false): void {
  const { run } = walk
  if (walk.hasFailed) return
  walk.hasFailed = true
  if (run.kind !== 'mutant') return
  walk.isTimedOut = isTimedOut
  if (walk.verified.has(`${run.file} ${test}`)) killed(run, name)
  else walk.verify = { ...run, kind: 'verify', test, name }
}

function closeVerify(run: Run & { kind: 'verify' }): void {
  if (walk.hasFailed) {
    walk.unfit.add(`${run.file} ${run.test}`)
    if (run.test !== '') walk.files.get(run.id)?.unshift(walk.covering)
  } else {
    walk.verified.add(`${run.file} ${run.test}`)
    killed(run, run.name)
  }
}

function killed({ id, file }: Run & { id: number }, test: string): void {
  walk.living.delete(id)
  log({ kind: 'killed', id, file, test, isTimedOut: walk.isTimedOut })
}

function lived({ id, file }: Run & { id: number }): void {
  const milliseconds = Math.round(processorSince(walk.processorAtStart))
  // A value that is computed once for all tests is not computed again.
  if (walk.isReached) walk.living.set(id, (walk.living.get(id) ?? 0) + milliseconds)
  log({ kind: 'lived', id, file, milliseconds })
}

/** Milliseconds of the processor, whatever else the machine does. */
function processorSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}
