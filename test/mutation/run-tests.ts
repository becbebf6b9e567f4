import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVitest } from 'vitest/node'
import { instrument } from './instrument.ts'
import { type Entry, type Plan, parseLines, remaining } from './mutant.ts'

// Started by `mutate.ts`, and again when a mutant stops it. Vitest is given the first file, and `walk-mutants.ts` goes on.

const ROOT = join(import.meta.dirname, '../..')
const directory = process.env['MUTATION'] ?? ''
const plan = JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as Plan
const { files } = remaining(plan, parseLines<Entry>(readFileSync(join(directory, 'log.jsonl'), 'utf8')))
// Once all are covered, any of them begins.
const [first = ''] = [...files, ...plan.testFiles]

// The tests' servers are started here, where nothing is mutated.
Object.assign(globalThis, { isMutated: () => false, countTurn: () => undefined })

const vitest = await startVitest(
  [first],
  {
    root: ROOT,
    config: false,
    watch: false,
    reporters: [{}],
    update: false,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/start-stack.ts'],
    setupFiles: ['test/mutation/walk-mutants.ts', 'test/support/environment.ts'],
    maxWorkers: 1,
    isolate: false,
    fsModuleCache: false,
    // On a busy machine a test that is only slow has noticed nothing.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
  {
    plugins: [
      {
        name: 'mutants',
        enforce: 'pre',
        transform(text, id) {
          const path = id.startsWith(`${ROOT}/`) ? id.slice(ROOT.length + 1) : ''
          const mutants = plan.mutants.filter((mutant) => mutant.path === path)
          return mutants.length === 0 ? undefined : instrument(text, mutants, plan.loops[path] ?? [])
        },
      },
    ],
  },
)
await vitest.close()
