import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { readParameters } from '../../package/parameters.ts'
import { accountValues } from '../account-values.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { surroundingsIn } from '../clients.ts'
import { examine } from '../doctor.ts'
import { release } from '../release.ts'
import { stackResources } from '../stack-resources.ts'
import { requireSameTable } from '../stack-table.ts'

// `npm run release -- --stage <stage>`: checks what must be there, packages, and deploys what was packaged.

/** CloudFormation rolls a deployment back when one of these goes off meanwhile. */
const ROLLED_BACK_BY = /^(Gateway5xx|Errors|Crashes|StreamAge)Alarm$/

await runCommand(async () => {
  const stack = readArguments(process.argv.slice(2), process.env)
  const parameters = readParameters(stack.params)
  const { region, stackName } = stack
  const surroundings = surroundingsIn(region)
  const values = accountValues(stack.stage, parameters)
  const findings = await examine(surroundings, values, parameters.concurrency === 'shared')
  const missing = findings.filter(({ isThere }) => !isThere)
  for (const { what, remedy } of missing) console.error(`✗ ${what}\n    ${remedy}`)
  if (missing.length > 0) return false
  const deployed = await stackResources(new CloudFormationClient({ region }), stackName)
  requireSameTable(deployed, parameters.restoredTable)
  const arn = `arn:aws:cloudwatch:${region}:${await surroundings.whoAmI()}:alarm:`
  const alarms = [...(deployed ?? [])].filter(([id]) => stack.rollback && ROLLED_BACK_BY.test(id))
  await release(
    stack,
    alarms.map(([, name]) => `${arn}${name}`),
    process.env,
  )
  return true
})
