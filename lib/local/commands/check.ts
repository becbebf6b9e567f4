import { spawnSync } from 'node:child_process'
import { mirroredTest } from '../mirrored-tests.ts'

// `npm run check -- <paths>`: types, lint, knip, the rules of the house in test/contract, and the tests that mirror the
// paths. Each is run, whatever the ones before found.

const paths = process.argv.slice(2)
const tests = new Set(['test/contract/', ...paths.flatMap((path) => mirroredTest(path) ?? [])])
const STEPS = [
  ['npm', 'run', '--silent', 'types'],
  ['npm', 'run', '--silent', 'lint'],
  ['npm', 'run', '--silent', 'knip'],
  ['npm', 'test', '--silent', '--', ...tests],
] as const

const failed = STEPS.filter(([command, ...args]) => {
  console.log(`> ${[command, ...args].join(' ')}`)
  return spawnSync(command, args, { stdio: 'inherit' }).status !== 0
})
for (const step of failed) console.error(`✗ ${step.join(' ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
