import { spawn } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { SourceFile } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'
import { seededRandom } from '#test/fuzz/random'
import { sourceFiles } from '#test/support/source-files'
import { findLoops, findMutants } from './find-mutants.ts'
import { type Entry, type Mutant, type Plan, parseLines, remaining } from './mutant.ts'

// `npm run mutate -- lib/kernel`: changes the code of a folder in one place after the other, and says which changes no test
// notices. `--sample 150 --seed 7` takes so many of each folder; `--tests test/kernel` asks these tests alone, otherwise all
// that run within one process, those of the same name first. `--seconds 10` of the processor is how long a mutant may live in tests; a test that takes longer is not asked.
// `--resume .cache/mutation-…` goes on where a run of the same folders ended.

const ROOT = join(import.meta.dirname, '../..')
/** Tests of what is generated, built, started or served as a whole: they run little of the code in their own process. */
const ELSEWHERE = /^test\/(bench|console|deploy|docs|fuzz|local|package|readme|http\/document\/clients)[/.]/
const ADAPTERS = /^lib\/payments\/providers\//
/** After this, of the processor or of the clock, a mutant has stopped the process of the tests. */
const STALL_PROCESSOR_SECONDS = 60
const STALL_MS = 900_000
/** Of Linux, which counts the time of processes in them. */
const TICKS_PER_SECOND = 100
const STARTS_MAX = 3

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '10' },
    tests: { type: 'string', multiple: true },
    resume: { type: 'string' },
  },
})
if (folders.length === 0) throw new Error('Which folder? npm run mutate -- lib/kernel')

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const startedAt = performance.now()
await mkdir(join(ROOT, '.cache'), { recursive: true })
const directory = values.resume ? resolve(values.resume) : await mkdtemp(join(ROOT, '.cache/mutation-'))
const logPath = join(directory, 'log.jsonl')
const plan = values.resume ? await readPlan() : await makePlan()
for (let idleStarts = 0; await isUnfinished(); ) {
  const before = (await readLog()).length
  await runTests()
  // A busy machine may be too slow for the start of Vitest's worker.
  idleStarts = (await readLog()).length === before ? idleStarts + 1 : 0
  if (idleStarts === STARTS_MAX) throw new Error('The tests do not start')
  await closeWhatStopped()
}
await report()

async function makePlan(): Promise<Plan> {
  const loops: Plan['loops'] = {}
  const mutants: Mutant[] = []
  const paths = (await sourceFiles(...folders)).map(({ path }) => path).filter((path) => !ADAPTERS.test(path))
  const files = await parsed(paths)
  for (const folder of folders) {
    const found: Mutant[] = []
    for (const [path, file] of files) {
      if (!path.startsWith(`${folder}/`)) continue
      loops[path] = findLoops(file)
      found.push(...findMutants(file).map((mutant) => ({ ...mutant, id: 0, path })))
    }
    console.log(`${folder}: ${found.length} mutants`)
    mutants.push(...sampled(found))
  }
  const made: Plan = {
    mutants: mutants.map((mutant, id) => ({ ...mutant, id })),
    loops,
    testFiles: await orderedTests(),
    secondsEach: Number(values.seconds),
  }
  await writeFile(join(directory, 'plan.json'), JSON.stringify(made))
  await writeFile(logPath, '')
  return made
}

async function readPlan(): Promise<Plan> {
  return JSON.parse(await readFile(join(directory, 'plan.json'), 'utf8'))
}

/** Trees without types: a project of these files alone, which follows no imports. */
async function parsed(paths: readonly string[]): Promise<Map<string, SourceFile>> {
  const configuration = join(directory, 'tsconfig.json')
  const files = paths.map((path) => join(ROOT, path))
  const compilerOptions = { noResolve: true, noLib: true, types: [], module: 'NodeNext', target: 'ES2024' }
  await writeFile(configuration, JSON.stringify({ compilerOptions, files }))
  const api = new API({ cwd: ROOT })
  const [project] = api.updateSnapshot({ openProject: configuration }).getProjects()
  const trees = new Map<string, SourceFile>()
  for (const path of paths) {
    const file = project?.program.getSourceFile(join(ROOT, path))
    if (file === undefined) throw new Error(`${path} cannot be parsed`)
    trees.set(path, file)
  }
  api.close()
  return trees
}

function sampled(found: Mutant[]): Mutant[] {
  if (values.sample === undefined) return found
  const { below } = seededRandom(Number(values.seed))
  const left = [...found]
  while (left.length > Number(values.sample)) left.splice(below(left.length), 1)
  return left
}

async function orderedTests(): Promise<string[]> {
  const near = folders.map((folder) => `test/${folder.split('/')[1]}/`)
  const files = (await sourceFiles('test')).filter(({ path }) => path.endsWith('.test.ts'))
  const asked = files
    .filter(({ path }) => !ELSEWHERE.test(path))
    .filter(({ path }) => values.tests?.some((folder) => path.startsWith(folder)) ?? true)
  const distance = (path: string) => (near.some((folder) => path.startsWith(folder)) ? 0 : 1)
  return asked
    .sort((one, other) => distance(one.path) - distance(other.path) || one.text.length - other.text.length)
    .map(({ path }) => path)
}

async function isUnfinished(): Promise<boolean> {
  return !remaining(plan, await readLog()).hasEnded
}

/** Runs the tests until they end, or until a mutant stops their process. */
async function runTests(): Promise<void> {
  const tests = spawn(process.execPath, [join(import.meta.dirname, 'run-tests.ts')], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, MUTATION: directory, CI: 'true' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const begunAt = Date.now()
  const stop = () => tests.pid !== undefined && process.kill(-tests.pid, 'SIGKILL')
  process.once('exit', stop)
  const ended = new Promise((resolve) => tests.once('exit', () => resolve('ended')))
  let written = 0
  let takenThen = 0
  while ((await Promise.race([ended, wait(5_000)])) !== 'ended') {
    const { mtimeMs } = await stat(logPath)
    const taken = await processorSeconds(tests.pid)
    if (mtimeMs !== written) takenThen = taken
    written = mtimeMs
    const isStalled =
      taken - takenThen > STALL_PROCESSOR_SECONDS || Date.now() - Math.max(mtimeMs, begunAt) > STALL_MS
    if (!isStalled) continue
    stop()
    await ended
  }
  process.off('exit', stop)
}

/** What all processes of a group have taken of the processor; 0 where the system does not say. */
async function processorSeconds(group: number | undefined): Promise<number> {
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const ticks = await Promise.all(
    processes.map(async (id) => {
      const status = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '')
      // After its name: the group is the third, user and system time are the twelfth and the one after.
      const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
      return Number(fields[2]) === group ? Number(fields[11]) + Number(fields[12]) : 0
    }),
  )
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
}

/** A mutant that was tried last has stopped the process: it was noticed. A file that stops by itself is left out. */
async function closeWhatStopped(): Promise<void> {
  const last = (await readLog()).at(-1)
  const entry =
    last?.kind === 'tried'
      ? { kind: 'killed', id: last.id, file: last.file, test: 'the process', isTimedOut: true }
      : last?.kind === 'opened' && { kind: 'covered', file: last.file }
  if (entry) await appendFile(logPath, `${JSON.stringify(entry)}\n`)
}

async function readLog() {
  return parseLines<Entry>(await readFile(logPath, 'utf8'))
}

async function report(): Promise<void> {
  const entries = await readLog()
  const { living } = remaining(plan, entries)
  const tried = new Set(entries.flatMap((entry) => (entry.kind === 'tried' ? [entry.id] : [])))
  const timedOut = entries.filter((entry) => entry.kind === 'killed' && entry.isTimedOut).length
  const survivors = plan.mutants.filter(({ id }) => living.has(id))
  for (const mutant of survivors) {
    const { path, line, operator, id } = mutant
    const change = await shownChange(mutant)
    console.log(`${path}:${line} ${operator}: ${change}${tried.has(id) ? '' : ' (no test runs it)'}`)
  }
  for (const folder of folders) {
    const isWithin = ({ path }: Mutant) => path.startsWith(`${folder}/`)
    const all = plan.mutants.filter(isWithin).length
    const left = survivors.filter(isWithin).length
    const share = ((100 * (all - left)) / all).toFixed(1)
    console.log(`${folder}: ${all - left} of ${all} killed, ${share} %, ${left} survived`)
  }
  console.log(`${timedOut} of those killed made a test time out or stopped its process`)
  console.log(`${Math.round((performance.now() - startedAt) / 1_000)} s, log in ${directory}`)
}

/** What differs, with a little of what stands around it. */
async function shownChange({ path, start, end, replacement }: Mutant): Promise<string> {
  const original = (await readFile(join(ROOT, path), 'utf8')).slice(start, end)
  const short = (text: string) => {
    const line = text.replace(/\s+/g, ' ')
    return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-25)}` : line
  }
  return `${short(original)} → ${short(replacement)}`
}
