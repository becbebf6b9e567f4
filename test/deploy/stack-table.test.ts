import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { requireSameTable } from '#lib/deploy/stack-table'
import { readParameters } from '#lib/package/parameters'
import { applyParameters } from '#lib/package/template/options'
import type { Template } from '#lib/package/template/template'

const ARN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/prod-restored'
const STREAM = `${ARN}/stream/2026-11-22T07:00:00.000`
const owning = new Map([['Table', 'platform-api-prod-Table-1']])

it('A release without the restored table is refused, since it would give the stage an empty one.', () => {
  const running = new Map([['LoginLambdaFunction', 'platform-api-prod-login']])
  expect(() => requireSameTable(running, undefined)).toThrow('--param restoredTable=')
  requireSameTable(running, STREAM)
  requireSameTable(owning, undefined)
  requireSameTable(owning, STREAM)
  requireSameTable(undefined, undefined)
})

it('A stage whose first release failed is released again.', () => {
  requireSameTable(new Map([['ServerlessDeploymentBucket', 'a-bucket']]), undefined)
})

it('A table that the stack has already is no restored one.', () => {
  expect(() => requireSameTable(new Map([['Table', 'prod-restored']]), STREAM)).toThrow('own table already')
})

it('A restored table is named by the ARN of its stream, which must be switched on.', () => {
  expect(() => readParameters([`restoredTable=${ARN}`])).toThrow('restoredTable is not valid')
  expect(() => readParameters(['restoredTable=None'])).toThrow('restoredTable is not valid')
  expect(readParameters([`restoredTable=${STREAM}`])).toEqual({ restoredTable: STREAM })
})

it('A restored table takes the place of the own one wherever a template refers to it.', () => {
  const template: Template = {
    Resources: {
      Table: { Type: 'AWS::DynamoDB::Table', Properties: {} },
      Role: {
        Type: 'AWS::IAM::Role',
        DependsOn: ['Table', 'Other'],
        Properties: {
          Resource: [{ 'Fn::GetAtt': ['Table', 'Arn'] }, { 'Fn::Sub': '${Table.Arn}/index/*' }],
          Other: [{ 'Fn::GetAtt': ['Tables', 'Arn'] }, { 'Fn::Sub': '${AWS::Region} ${Table}' }],
        },
      },
      Mapping: { Type: 'A', Properties: { EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] } } },
    },
    Outputs: { Name: { Value: { Ref: 'Table' } } },
  }
  applyParameters(template, { restoredTable: STREAM })
  expect(template).toEqual({
    Resources: {
      Role: {
        Type: 'AWS::IAM::Role',
        DependsOn: ['Other'],
        Properties: {
          Resource: [ARN, `${ARN}/index/*`],
          Other: [{ 'Fn::GetAtt': ['Tables', 'Arn'] }, { 'Fn::Sub': '${AWS::Region} prod-restored' }],
        },
      },
      Mapping: { Type: 'A', Properties: { EventSourceArn: STREAM } },
    },
    Outputs: { Name: { Value: 'prod-restored' } },
  })
})

it('Pictures that were deleted or overwritten are kept for thirty days.', async () => {
  const text = await readFile(new URL('../../lib/media/bucket.yml', import.meta.url), 'utf8')
  const { Resources } = parse(text, { logLevel: 'silent' })
  const { VersioningConfiguration, LifecycleConfiguration } = Resources.MediaBucket.Properties
  expect(VersioningConfiguration).toEqual({ Status: 'Enabled' })
  expect(LifecycleConfiguration.Rules).toContainEqual(
    expect.objectContaining({ NoncurrentVersionExpiration: { NoncurrentDays: 30 } }),
  )
})
