import {
  CloudFormationClient,
  CreateChangeSetCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
  ExecuteChangeSetCommand,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, it, vi } from 'vitest'
import { importTable } from '#lib/deploy/import-table'

const FUNCTION = { Type: 'AWS::Lambda::Function', Properties: {} }

it('A restored table is imported alone: the template gains the table, which stays when the stack goes, and nothing else changes.', async () => {
  const [stacks, objects] = [new CloudFormationClient(), new S3Client()]
  const asked: object[] = []
  vi.spyOn(stacks, 'send').mockImplementation(async (command) => {
    asked.push(command)
    if (command instanceof GetTemplateCommand)
      return { TemplateBody: JSON.stringify({ Resources: { Login: FUNCTION } }) }
    if (command instanceof DescribeChangeSetCommand) return { Status: 'CREATE_COMPLETE' }
    return command instanceof DescribeStacksCommand ? { Stacks: [{ StackStatus: 'IMPORT_COMPLETE' }] } : {}
  })
  const put = vi.spyOn(objects, 'send').mockImplementation(async () => ({}))
  await importTable(
    { stacks, objects },
    {
      stackName: 'platform-api-prod',
      region: 'eu-west-1',
      bucket: 'code',
      restoredStreamArn:
        'arn:aws:dynamodb:eu-west-1:123456789012:table/prod-restored/stream/2026-11-22T07:00:00.000',
    },
  )
  const [stored] = put.mock.calls.flatMap(([command]) =>
    command instanceof PutObjectCommand ? [command.input] : [],
  )
  const { Table, ...others } = JSON.parse(`${stored?.Body}`).Resources
  expect(others).toEqual({ Login: FUNCTION })
  expect(Table).toMatchObject({ Type: 'AWS::DynamoDB::Table', DeletionPolicy: 'RetainExceptOnCreate' })
  const changeSet = asked.find((command) => command instanceof CreateChangeSetCommand)
  expect(changeSet?.input).toMatchObject({
    ChangeSetType: 'IMPORT',
    TemplateURL: `https://code.s3.eu-west-1.amazonaws.com/${stored?.Key}`,
    ResourcesToImport: [{ LogicalResourceId: 'Table', ResourceIdentifier: { TableName: 'prod-restored' } }],
  })
  expect(asked.some((command) => command instanceof ExecuteChangeSetCommand)).toBe(true)
})
