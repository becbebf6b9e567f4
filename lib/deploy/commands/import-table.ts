import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { S3Client } from '@aws-sdk/client-s3'
import { readParameters } from '../../package/parameters.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { awsIn } from '../clients.ts'
import { importTable } from '../import-table.ts'
import { rememberedParameters, rememberParameters } from '../remembered-parameters.ts'
import { stackResources } from '../stack-resources.ts'
import { TABLE_ID } from '../stack-table.ts'

// `npm run import-table -- --stage <stage> --param restoredTable=<ARN of its stream>`: makes the restored table, on which
// the stage runs already, part of its stack again.

await runCommand(async () => {
  const { stage, region, stackName, params } = readArguments(process.argv.slice(2), process.env)
  const { restoredTable } = readParameters(params)
  if (restoredTable === undefined)
    throw new Error('Say which table: --param restoredTable=<ARN of its stream>')
  const stacks = new CloudFormationClient({ region })
  const deployed = await stackResources(stacks, stackName)
  if (!deployed) throw new Error(`There is no stack ${stackName} in ${region}`)
  const own = deployed.get(TABLE_ID)
  if (own !== undefined) throw new Error(`${stackName} has the table ${own} already`)
  const bucket = deployed.get('ServerlessDeploymentBucket') ?? ''
  await importTable(
    { stacks, objects: new S3Client({ region }) },
    { stackName, region, bucket, restoredStreamArn: restoredTable },
  )
  // The next release takes the stack's own table, so the parameter is no longer remembered.
  const { account } = awsIn(region)
  const { restoredTable: _, ...others } = await rememberedParameters(account, stage)
  await rememberParameters(account, stage, others)
  console.log(`${stackName} has its table: release it once more`)
  return true
})
