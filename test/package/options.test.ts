import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { ParameterName, readParameters } from '#lib/package/parameters'
import { applyParameters } from '#lib/package/template/options'
import { referToParameters } from '#lib/package/template/ssm-parameters'
import type { Template } from '#lib/package/template/template'

const template = () => ({
  Resources: {
    DocumentsBucket: {
      Type: 'AWS::S3::Bucket',
      Properties: { VersioningConfiguration: { Status: 'Suspended' } },
    },
    FrontHeadersPolicy: {
      Type: 'AWS::CloudFront::ResponseHeadersPolicy',
      Properties: { ResponseHeadersPolicyConfig: { Name: 'front' } },
    },
    LoginLambdaFunction: { Type: 'AWS::Lambda::Function', Properties: { ReservedConcurrentExecutions: 20 } },
  },
})

const withParameters = (...given: string[]) => {
  const changed = template()
  applyParameters(changed, readParameters(given))
  return changed.Resources
}

it('Without parameters a template stays as it is.', () => {
  expect(withParameters()).toEqual(template().Resources)
})

it('A shared concurrency reserves none, for an account whose quota is small.', () => {
  expect(withParameters('concurrency=shared').LoginLambdaFunction.Properties).toEqual({})
  expect(withParameters('concurrency=reserved')).toEqual(template().Resources)
  expect(() => readParameters(['concurrency=none'])).toThrow('concurrency is not valid')
})

const ROLE = { 'Fn::GetAtt': ['RoleData', 'Arn'] }
const data = () => ({
  Resources: {
    Table: {
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: { DeletionProtectionEnabled: true, SSESpecification: { SSEEnabled: true } },
    },
    DocumentsBucket: {
      Type: 'AWS::S3::Bucket',
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {},
    },
    LoginLambdaFunction: { Type: 'AWS::Lambda::Function', Properties: { Role: ROLE } },
    HealthLambdaFunction: {
      Type: 'AWS::Lambda::Function',
      Properties: { Role: { 'Fn::GetAtt': ['RoleLogsOnly', 'Arn'] } },
    },
    RoleData: role({
      Action: ['dynamodb:GetItem'],
      Resource: { 'Fn::GetAtt': ['Table', 'Arn'] },
    }),
    RoleLogsOnly: role({
      Action: ['logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': ['FunctionLogs', 'Arn'] },
    }),
  },
})
const role = (...Statement: object[]) => ({
  Type: 'AWS::IAM::Role',
  Properties: { Policies: [{ PolicyName: 'function', PolicyDocument: { Statement } }] },
})
const withData = (...given: string[]) => {
  const changed = data()
  applyParameters(changed, readParameters(given))
  return changed.Resources
}
const allowed = ({ Properties }: ReturnType<typeof role>) =>
  Properties.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)

it('Tracing lets every function send its traces, and without it none does.', () => {
  const { LoginLambdaFunction, RoleData, RoleLogsOnly } = withData('tracing=on')
  expect(LoginLambdaFunction.Properties).toMatchObject({ TracingConfig: { Mode: 'Active' } })
  for (const each of [RoleData, RoleLogsOnly])
    expect(allowed(each).at(-1)).toMatchObject({
      Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
    })
  expect(withData('tracing=off')).toEqual(data().Resources)
})

it('An ephemeral stage keeps nothing when its stack goes.', () => {
  const { Table, DocumentsBucket } = withData('ephemeral=on')
  expect(Table).toMatchObject({ DeletionPolicy: 'Delete', UpdateReplacePolicy: 'Delete' })
  expect(Table.Properties.DeletionProtectionEnabled).toBe(false)
  expect(DocumentsBucket.DeletionPolicy).toBe('Delete')
})

const KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'

it('A key of the operator’s encrypts table and documents, and is open to functions that reach them alone.', () => {
  const { Table, DocumentsBucket, RoleData, RoleLogsOnly } = withData(`kmsKey=${KEY}`)
  expect(Table.Properties.SSESpecification).toEqual({
    SSEEnabled: true,
    SSEType: 'KMS',
    KMSMasterKeyId: KEY,
  })
  expect(JSON.stringify(DocumentsBucket.Properties)).toContain(`"KMSMasterKeyID":"${KEY}"`)
  expect(allowed(RoleData).at(-1)).toMatchObject({
    Resource: KEY,
    Condition: {
      StringEquals: {
        'kms:ViaService': [{ 'Fn::Sub': 'dynamodb.${AWS::Region}.${AWS::URLSuffix}' }],
      },
    },
  })
  expect(allowed(RoleLogsOnly)).toHaveLength(1)
})

it('A lock on documents keeps their versions, which it needs.', () => {
  expect(withParameters('documentsLockDays=30').DocumentsBucket.Properties).toMatchObject({
    VersioningConfiguration: { Status: 'Enabled' },
    ObjectLockEnabled: true,
  })
})

it('A log of documents ends after its days, and is left out without its parameter, with all that names it.', () => {
  const logged: Template = template()
  Object.assign(logged.Resources['DocumentsBucket'] ?? {}, {
    DependsOn: ['DocumentsLogBucketPolicy'],
    Properties: { LoggingConfiguration: { DestinationBucketName: { Ref: 'DocumentsLogBucket' } } },
  })
  logged.Resources['DocumentsLogBucket'] = {
    Type: 'AWS::S3::Bucket',
    DeletionPolicy: 'RetainExceptOnCreate',
    Properties: {},
  }
  logged.Resources['DocumentsLogBucketPolicy'] = { Type: 'AWS::S3::BucketPolicy', Properties: {} }
  const kept = structuredClone(logged)
  applyParameters(kept, readParameters(['documentsLogDays=90', 'ephemeral=on']))
  expect(kept.Resources['DocumentsBucket']).toEqual(logged.Resources['DocumentsBucket'])
  expect(kept.Resources['DocumentsLogBucket']).toMatchObject({
    DeletionPolicy: 'Delete',
    Properties: { LifecycleConfiguration: { Rules: [{ Status: 'Enabled', ExpirationInDays: 90 }] } },
  })
  applyParameters(logged, readParameters([]))
  expect(JSON.stringify(logged)).not.toMatch(/DocumentsLog|LoggingConfiguration/)
})

it('A log of documents is written by S3 alone, which cannot write before the bucket that it logs is made.', async () => {
  const text = await readFile(new URL('../../lib/kyc/documents-log.yml', import.meta.url), 'utf8')
  const { Resources, extensions } = parse(text, { logLevel: 'silent' })
  expect(extensions.DocumentsBucket.DependsOn).toEqual(['DocumentsLogBucketPolicy'])
  const policy = JSON.stringify(Resources.DocumentsLogBucketPolicy)
  expect(policy.match(/"Effect":"Allow","Principal":\{"Service":"logging.s3.amazonaws.com"\}/g)).toHaveLength(
    1,
  )
  expect(policy.match(/"Effect":"Allow"/g)).toHaveLength(1)
  expect(policy).not.toContain('DocumentsBucket')
})

it('Configured origins may read what the gateway answers itself.', () => {
  const { Properties } = withParameters('corsOrigins=https://a.example,https://b.example').FrontHeadersPolicy
  expect(Properties.ResponseHeadersPolicyConfig).toMatchObject({
    CorsConfig: {
      AccessControlAllowOrigins: { Items: ['https://a.example', 'https://b.example'] },
      OriginOverride: false,
    },
  })
})

it('A text keeps a reference with a version, which no parameter of the template can stand for.', () => {
  const withText = (text: string) => {
    const changed = { Resources: { Page: { Type: 'AWS::SSM::Parameter', Properties: { Value: text } } } }
    referToParameters(changed)
    return changed.Resources.Page.Properties.Value
  }
  expect(withText('https://x/{{resolve:ssm:/a/b:3}}/y')).toBe('https://x/{{resolve:ssm:/a/b:3}}/y')
  expect(withText('https://x/{{resolve:ssm:/a/b}}/y')).toEqual({
    'Fn::Join': ['', ['https://x/', { Ref: 'BParameter' }, '/y']],
  })
})

it('Every parameter that the template reads can be given.', async () => {
  const source = await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8')
  const read = new Set([...source.matchAll(/\$\{param:(\w+)/g)].map(([, name = '']) => name))
  expect([...read].filter((name) => !ParameterName.options.some((known) => known === name))).toEqual([])
})

it('A parameter whose JSON a shell has taken apart stops a deployment.', () => {
  expect(readParameters(['commission={"rent":500}'])).toEqual({ commission: '{"rent":500}' })
  expect(() => readParameters(['commission={rent:500}'])).toThrow('commission is not valid')
})

const CERTIFICATE = 'certificate=arn:aws:acm:us-east-1:123456789012:certificate/1'

it.each([
  [['domain=api.example.com'], 'domain and certificate go together'],
  [['domain=api.example.com', CERTIFICATE], 'domain needs publicUrl=https://api.example.com'],
  [[CERTIFICATE.replace('us-east-1', 'eu-west-1')], 'certificate is not valid'],
  [['wafAcl=arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/a/1'], 'wafAcl is not valid'],
  [['front=off', 'wafAcl=arn:aws:wafv2:us-east-1:123456789012:global/webacl/a/1'], 'need front=on'],
  [['ephemeral=on', 'documentsLockDays=30'], 'ephemeral goes with neither'],
  [['kmsKey=alias/mine'], 'kmsKey is not valid'],
  [['documentsLogDays=0'], 'documentsLogDays is not valid'],
  [['tracing=maybe'], 'tracing is not valid'],
  [['brand={"color":"#1d4ed8"}'], 'brand is not valid'],
  [
    ['commission={"rent":"500"}', 'payoutDelayDays=366'],
    'commission is not valid; payoutDelayDays is not valid',
  ],
  [['payoutDelayDays=366', 'tracing=maybe'], 'tracing is not valid; payoutDelayDays is not valid'],
  [['consoleRoles={"moderators":"team"}'], 'consoleRoles is not valid'],
  [['returnOrigins=pages.example.com'], 'returnOrigins is not valid'],
  [['consoleStepUpSeconds='], 'consoleStepUpSeconds is not valid'],
  [['payoutAccountHoldHours= '], 'payoutAccountHoldHours is not valid'],
])('%j stops a deployment before anything is made: %s.', (given, said) => {
  expect(() => readParameters(given)).toThrow(said)
})
