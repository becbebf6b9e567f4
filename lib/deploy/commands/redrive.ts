import { CloudFormationClient, DescribeStackResourceCommand } from '@aws-sdk/client-cloudformation'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { S3Client } from '@aws-sdk/client-s3'
import { SQSClient } from '@aws-sdk/client-sqs'
import * as z from 'zod'
import { QUEUES_PATH } from '../../local/events/sqs.ts'
import { readSettings } from '../../local/settings.ts'
import { readArguments, runCommand } from '../arguments.ts'
import { redrive } from '../redrive.ts'

// `npm run redrive -- --stage <stage>`: retries the messages and events that were given up. Without a stage, it does so
// on the local stack.

await runCommand(() => (process.argv.includes('--stage') ? redriveDeployed() : redriveLocally()))

async function redriveDeployed(): Promise<boolean> {
  const { region, stackName } = readArguments(process.argv.slice(2), process.env)
  const resource = { StackName: stackName, LogicalResourceId: 'FailuresBucket' }
  const stacks = new CloudFormationClient({ region })
  const { StackResourceDetail } = await stacks.send(new DescribeStackResourceCommand(resource))
  const failuresBucket = StackResourceDetail?.PhysicalResourceId ?? ''
  const clients = {
    sqs: new SQSClient({ region }),
    s3: new S3Client({ region }),
    lambda: new LambdaClient({ region }),
  }
  return redrive(clients, { stackName, failuresBucket }, console.log)
}

/** Locally only queues keep dead letters. */
async function redriveLocally(): Promise<boolean> {
  const queues = `http://localhost:${readSettings(process.env).port}${QUEUES_PATH}`
  const answer = await fetch(queues).catch(() => undefined)
  if (!answer) throw new Error(`No stack answers on ${queues}: run npm start first, or say --stage <name>`)
  for (const [name, count] of Object.entries(z.record(z.string(), z.number()).parse(await answer.json()))) {
    await fetch(`${queues}/${name}/redrive`, { method: 'POST' })
    console.log(`${name}: ${count} on their way back`)
  }
  return true
}
