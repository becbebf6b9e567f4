import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CloudFormationClient,
  CreateChangeSetCommand,
  ExecuteChangeSetCommand,
  GetTemplateCommand,
  waitUntilChangeSetCreateComplete,
  waitUntilStackImportComplete,
} from '@aws-sdk/client-cloudformation'
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { parse } from 'yaml'
import { MINUTE_SECONDS } from '#lib/kernel/clock'
import type { Resource, Template } from '../package/template/template.ts'
import { TABLE_ID, tableNameOf } from './stack-table.ts'

const TABLE_FILE = join(import.meta.dirname, '../dynamo/table.yml')
const LONGEST_SECONDS = 15 * MINUTE_SECONDS

type Clients = { stacks: CloudFormationClient; objects: S3Client }
/** The stack, a bucket for the template, which is too large for a request, and the ARN of the restored table's stream. */
type Where = { stackName: string; region: string; bucket: string; restoredStreamArn: string }

/**
 * Makes a table part of a stack that runs on it already. CloudFormation refuses an import together with any other
 * change.
 *
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-manually.html
 */
export async function importTable({ stacks, objects }: Clients, where: Where): Promise<void> {
  const { stackName: StackName, region, bucket: Bucket, restoredStreamArn } = where
  const { TemplateBody = '' } = await stacks.send(
    new GetTemplateCommand({ StackName, TemplateStage: 'Original' }),
  )
  const template = JSON.parse(TemplateBody) as Template
  template.Resources[TABLE_ID] = await tableResource()
  const Key = `${StackName}-import-table.json`
  await objects.send(new PutObjectCommand({ Bucket, Key, Body: JSON.stringify(template) }))
  const changeSet = { StackName, ChangeSetName: 'import-table' }
  await stacks.send(
    new CreateChangeSetCommand({
      ...changeSet,
      ChangeSetType: 'IMPORT',
      TemplateURL: `https://${Bucket}.s3.${region}.amazonaws.com/${Key}`,
      Capabilities: ['CAPABILITY_IAM', 'CAPABILITY_NAMED_IAM'],
      ResourcesToImport: [
        {
          ResourceType: 'AWS::DynamoDB::Table',
          LogicalResourceId: TABLE_ID,
          ResourceIdentifier: { TableName: tableNameOf(restoredStreamArn) },
        },
      ],
    }),
  )
  const waiting = { client: stacks, maxWaitTime: LONGEST_SECONDS }
  await waitUntilChangeSetCreateComplete(waiting, changeSet)
  await stacks.send(new ExecuteChangeSetCommand(changeSet))
  await waitUntilStackImportComplete(waiting, { StackName })
}

async function tableResource(): Promise<Resource> {
  const { Resources } = parse(await readFile(TABLE_FILE, 'utf8')) as Template
  const table = Resources[TABLE_ID]
  if (!table) throw new Error(`${TABLE_FILE} describes no ${TABLE_ID}`)
  return table
}
