import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { writeBillOfMaterials } from '../package/bill-of-materials.ts'
import type { StackArguments } from './arguments.ts'

const ROOT = join(import.meta.dirname, '../..')
const SERVERLESS = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')

/** Runs osls (a fork of the Serverless Framework) and shows its output. Throws when it fails. */
async function serverless(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [SERVERLESS, ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment,
  })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`serverless ${args[0]} ended with ${code}`)
}

/**
 * Packages and deploys with one stage, one region and one set of parameters. `alarms` are the ARNs of the alarms that
 * roll the deployment back; a new stack has none.
 */
export async function release(
  { stage, region, params, bytecode }: StackArguments,
  alarms: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const where = ['--stage', stage, '--region', region]
  const parameters = params.flatMap((each) => ['--param', each])
  const without = bytecode ? [] : ['--no-bytecode']
  await serverless(['package', ...where, ...parameters, ...without], environment)
  await writeBillOfMaterials(ROOT, join(ROOT, '.serverless'))
  // `--force`: a key that changed in the account changes no artefact, and osls would deploy nothing.
  await serverless(['deploy', '--force', '--package', '.serverless', ...where], {
    ...environment,
    ROLLBACK_ALARMS: alarms.join(','),
  })
}
