import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation'
import { readParameters } from '../../package/parameters.ts'
import { accountValues } from '../account-values.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { surroundingsIn } from '../clients.ts'
import { examine } from '../doctor.ts'
import { release } from '../release.ts'

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
  const arn = `arn:aws:cloudwatch:${region}:${await surroundings.whoAmI()}:alarm:`
  const names = await alarmsOf(stackName, region)
  await release(
    stack,
    names.map((name) => `${arn}${name}`),
    process.env,
  )
  return true
})

/** The names of the alarms that a deployed stack has; none for one that is not there. */
async function alarmsOf(StackName: string, region: string): Promise<string[]> {
  const client = new CloudFormationClient({ region })
  const names: string[] = []
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client },
      { StackName },
    )) {
      for (const { LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries) {
        if (ROLLED_BACK_BY.test(LogicalResourceId)) names.push(PhysicalResourceId)
      }
    }
  } catch (error) {
    if (!/does not exist/.test(`${error}`)) throw error
  }
  return names
}
