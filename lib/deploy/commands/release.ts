import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { parseParameters, readParameters } from '../../package/parameters.ts'
import { accountValues } from '../account-values.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { awsIn } from '../clients.ts'
import { examine } from '../doctor.ts'
import { requireFitting } from '../fitting-parameters.ts'
import { release } from '../release.ts'
import { mergeParameters, rememberedParameters, rememberParameters } from '../remembered-parameters.ts'
import { originOf, smokeTest } from '../smoke-test.ts'
import { stackOutputs, stackResources } from '../stack-resources.ts'
import { hasFunctions, requireSameTable } from '../stack-table.ts'

// `npm run release -- --stage <stage>`: checks what must be there, packages, deploys what was packaged, and calls it. The
// parameters of the last release hold until they are given again, or dropped with `--drop <name>`.

/**
 * CloudFormation rolls a deployment back when one of these alarms goes off during it. `Gateway5xx` is not among them:
 * it counts 502 and 503, which a provider or any caller can cause.
 */
const ROLLED_BACK_BY = /^(Errors|FailingJobs|Crashes|StreamAge)Alarm$/

await runCommand(async () => {
  const given = readArguments(process.argv.slice(2), process.env)
  // Refuses a mistyped parameter before AWS is called.
  parseParameters(given.params)
  const { region, stackName } = given
  const aws = awsIn(region)
  const { account: storedValues, whoAmI } = aws
  // Without credentials no parameters are remembered; `examine` reports that the credentials are missing.
  const remembered = await whoAmI().then(
    () => rememberedParameters(storedValues, given.stage),
    () => ({}),
  )
  const { merged, params, differences } = mergeParameters(remembered, given)
  const parameters = readParameters(params)
  const stack = { ...given, params }
  console.log(`Parameters: ${params.join(' ') || 'none'}`)
  for (const difference of differences) console.log(`  ${difference}`)
  const values = accountValues(stack.stage, parameters)
  const findings = await examine(aws, values, stack.stage, parameters)
  const missing = findings.filter(({ isThere }) => !isThere)
  for (const { what, remedy } of missing) console.error(`✗ ${what}\n    ${remedy}`)
  if (missing.length > 0) return false
  const stacks = new CloudFormationClient({ region })
  const deployed = await stackResources(stacks, stackName)
  requireSameTable(deployed, parameters.restoredTable)
  requireFitting(parameters, { region, isRunning: hasFunctions(deployed), remembered })
  const accountId = await whoAmI()
  const alarms = stack.rollback ? [...(deployed ?? [])].filter(([id]) => ROLLED_BACK_BY.test(id)) : []
  const alarmArns = alarms.map(([, name]) => `arn:aws:cloudwatch:${region}:${accountId}:alarm:${name}`)
  await release(stack, alarmArns, process.env)
  await rememberParameters(storedValues, stack.stage, merged)
  const origin = originOf(await stackOutputs(stacks, stackName))
  const failures = await smokeTest({ origin, fetch, attempts: 4, pauseMilliseconds: 5_000 })
  for (const failure of failures) console.error(`✗ ${failure}`)
  if (failures.length === 0) console.log(`✓ ${origin} answers`)
  return failures.length === 0
})
