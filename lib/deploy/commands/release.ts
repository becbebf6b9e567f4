import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { readArguments, runCommand } from '../arguments.ts'
import { awsIn } from '../clients.ts'
import { prepareSearch } from '../prepare-search.ts'
import { release } from '../release.ts'
import { stackOutputs, stackResources } from '../stack-resources.ts'

// `npm run release -- --stage <stage>`: checks what must be there, packages, deploys what was packaged, and calls it. The
// parameters of the last release hold until they are given again, or dropped with `--drop <name>`.

const ROOT = join(import.meta.dirname, '../../..')
const SERVERLESS = createRequire(import.meta.url).resolve('serverless/bin/serverless.js')

async function serverless(args: readonly string[], variables: Readonly<Record<string, string>>) {
  const env = { ...process.env, ...variables }
  const child = spawn(process.execPath, [SERVERLESS, ...args], { cwd: ROOT, stdio: 'inherit', env })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`serverless ${args[0]} ended with ${code}`)
}

await runCommand(async () => {
  const given = readArguments(process.argv.slice(2), process.env)
  const stacks = new CloudFormationClient({ region: given.region })
  // A rebuild may take as long as a function may run, and is not begun twice.
  const functions = new LambdaClient({
    region: given.region,
    maxAttempts: 1,
    requestHandler: { requestTimeout: 900_000 },
  })
  const failures = await release(given, {
    aws: awsIn(given.region),
    readResources: () => stackResources(stacks, given.stackName),
    readOutputs: () => stackOutputs(stacks, given.stackName),
    serverless,
    prepareSearch: (functionName) => prepareSearch(functions, functionName),
    fetch,
    report: console.log,
  })
  for (const failure of failures) console.error(`✗ ${failure}`)
  return failures.length === 0
})
