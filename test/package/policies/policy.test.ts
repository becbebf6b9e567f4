import { describe, expect, it } from 'vitest'
import { spec as getProfile } from '#functions/accounts/get-profile'
import { spec as createListing } from '#functions/listings/create-listing'
import { spec as uploadMedia } from '#functions/media/upload-media'
import { spec as paymentCallback } from '#functions/payments/payment-callback'
import { spec as exportAccount } from '#functions/privacy/export-account'
import { changedBy } from '#lib/http/spec'
import { arnOf, deniedTo } from '#lib/package/grants'
import { allows } from '#lib/package/policies/policy'
import { requestsOf } from '#lib/package/policies/requests'
import { rolesFor } from '#lib/package/roles'

const ON_TABLE = {
  Effect: 'Allow' as const,
  Action: ['dynamodb:GetItem', 'dynamodb:PutItem'],
  Resource: [{ 'Fn::GetAtt': ['Table', 'Arn'] }, { 'Fn::Sub': '${Table.Arn}/index/*' }],
}
const limited = (partitions: string[]) => ({
  ...ON_TABLE,
  Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } },
})
const read = { action: 'dynamodb:GetItem', resource: '{Table.Arn}', leadingKeys: ['USER#'] }

describe('a statement', () => {
  it('allows its actions on its resources, and nothing else', () => {
    expect(allows(ON_TABLE, read)).toBe(true)
    expect(allows(ON_TABLE, { ...read, resource: '{Table.Arn}/index/gsi1' })).toBe(true)
    expect(allows(ON_TABLE, { ...read, action: 'dynamodb:DeleteItem' })).toBe(false)
    expect(allows(ON_TABLE, { ...read, resource: '{OtherTable.Arn}' })).toBe(false)
  })

  it('allows a request whose every partition is among those it is limited to', () => {
    expect(allows(limited(['LISTING#*', 'USER#*']), read)).toBe(true)
    expect(allows(limited(['LISTING#*']), read)).toBe(false)
    expect(allows(limited(['LISTING#*']), { ...read, leadingKeys: ['LISTING#', 'USER#'] })).toBe(false)
  })

  it('takes a dot and a bracket of a resource as they are', () => {
    const secret = { ...ON_TABLE, Action: ['s3:GetObject'], Resource: 'a.b[c]-??' }
    expect(allows(secret, { action: 's3:GetObject', resource: 'a.b[c]-12' })).toBe(true)
    expect(allows(secret, { action: 's3:GetObject', resource: 'aXb[c]-12' })).toBe(false)
    expect(allows(secret, { action: 's3:GetObject', resource: 'a.b[c]-123' })).toBe(false)
  })
})

it('An ARN of the template is told by the names of its references.', () => {
  expect(arnOf({ Ref: 'Table' })).toBe('{Table}')
  expect(arnOf({ 'Fn::GetAtt': ['Table', 'Arn'] })).toBe('{Table.Arn}')
  expect(arnOf({ 'Fn::Sub': 'arn:${AWS::Partition}:s3:::x' })).toBe('arn:{AWS::Partition}:s3:::x')
})

describe('what a function sent', () => {
  it('asks for the action of a command on each place that it touched', () => {
    const touched = { table: ['USER#'], 'index/gsi1': ['AGENT#'] }
    expect(requestsOf({ by: 'x', service: 'DynamoDB', command: 'Query', touched })).toEqual([
      { action: 'dynamodb:Query', resource: '{Table.Arn}', leadingKeys: ['USER#'] },
      { action: 'dynamodb:Query', resource: '{Table.Arn}/index/gsi1', leadingKeys: ['AGENT#'] },
    ])
  })

  it('asks for an object’s action in its folder, and for the bucket’s to list', () => {
    const touched = { MediaBucket: ['originals/*/'] }
    expect(requestsOf({ by: 'x', service: 'S3', command: 'GetObject', touched })).toEqual([
      { action: 's3:GetObject', resource: '{MediaBucket.Arn}/originals/*/x' },
      { action: 's3:ListBucket', resource: '{MediaBucket.Arn}' },
    ])
  })

  it('asks to write where a copy goes, and not to read there', () => {
    const copy = { by: 'x', service: 'S3', command: 'CopyObject', touched: { MediaBucket: ['public/*/'] } }
    expect(requestsOf(copy)).toEqual([
      { action: 's3:PutObject', resource: '{MediaBucket.Arn}/public/*/x' },
      { action: 's3:ListBucket', resource: '{MediaBucket.Arn}' },
    ])
  })
})

describe('a role', () => {
  const bearer = {
    name: 'getProfile',
    variables: ['TABLE_NAME', 'MEDIA_BUCKET'],
    eventSources: [],
    bundle: {
      bytes: Object.fromEntries(
        ['dynamodb/GetItem', 'dynamodb/PutItem', 's3/GetObject', 's3/PutObject'].map((command) => [
          `node_modules/@aws-sdk/client-${command.replace('/', '/dist-es/commands/')}Command.js`,
          100,
        ]),
      ),
      names: new Set(['USER', 'LISTING']),
      natives: [],
    },
    changes: [],
    denied: new Set<string>(),
  }
  const grants = {
    TABLE_NAME: [limited(['USER#*', 'LISTING#*'])],
    MEDIA_BUCKET: [{ Effect: 'Allow' as const, Action: ['s3:GetObject', 's3:PutObject'], Resource: 'media' }],
    schedule: [{ Effect: 'Allow' as const, Action: ['s3:PutObject'], Resource: 'failures' }],
  }
  const actionsOf = (of: Partial<Parameters<typeof rolesFor>[0][number]>) => {
    const { resources, roleOf } = rolesFor([{ ...bearer, grants, ...of }])
    const role = resources[roleOf['getProfile'] ?? ''] as {
      Properties: { Policies: { PolicyDocument: { Statement: { Action: string[] }[] } }[] }
    }
    const [, ...statements] = role.Properties.Policies.flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement,
    )
    return statements
  }

  it('grants reading alone to a function that changes nothing', () => {
    expect(
      actionsOf({})
        .flatMap(({ Action }) => Action)
        .sort(),
    ).toEqual(['dynamodb:GetItem', 's3:GetObject'])
  })

  it('grants no change of records to a function that changes objects', () => {
    const actions = actionsOf({ changes: ['objects'] }).flatMap(({ Action }) => Action)
    expect(actions).toContain('s3:PutObject')
    expect(actions).not.toContain('dynamodb:PutItem')
  })

  it('does not grant what a function never does', () => {
    const denied = deniedTo('getProfile', {
      'dynamodb:PutItem': 'getKyc getProfile',
      'dynamodb:DeleteItem': 'getKyc',
    })
    expect([...denied]).toEqual(['dynamodb:PutItem'])
    const actions = actionsOf({ changes: ['records'], denied }).flatMap(({ Action }) => Action)
    expect(actions).not.toContain('dynamodb:PutItem')
    expect(actions).toContain('dynamodb:GetItem')
  })

  it('does not grant an action in a folder where a function never uses it', () => {
    const within = (folder: string) => ({ 'Fn::Sub': `\${MediaBucket.Arn}/${folder}/*` })
    const folders = ['originals', 'variants'].map(within)
    const Action = ['s3:GetObject', 's3:PutObject']
    const inFolders = { MEDIA_BUCKET: [{ Effect: 'Allow' as const, Action, Resource: folders }] }
    const names = new Set(['originals/', 'variants/'])
    const granted = (...denied: string[]) =>
      actionsOf({
        grants: inFolders,
        changes: ['objects'],
        denied: new Set(denied),
        bundle: { ...bearer.bundle, names },
      })
    expect(granted('s3:GetObject originals/')).toEqual([
      { Effect: 'Allow', Action: ['s3:PutObject'], Resource: folders },
      { Effect: 'Allow', Action: ['s3:GetObject'], Resource: [within('variants')] },
    ])
    const neither = granted('s3:GetObject originals/', 's3:GetObject variants/')
    expect(neither).toEqual([{ Effect: 'Allow', Action: ['s3:PutObject'], Resource: folders }])
  })

  it('a scheduled function’s role keeps its failed runs, though the function itself never stores an object', () => {
    const denied = new Set(['s3:PutObject'])
    const statements = actionsOf({ changes: ['objects'], denied, eventSources: ['schedule'] })
    expect(statements).toContainEqual({ Effect: 'Allow', Action: ['s3:PutObject'], Resource: 'failures' })
    expect(statements).toContainEqual({ Effect: 'Allow', Action: ['s3:GetObject'], Resource: 'media' })
  })
})

describe('a function', () => {
  it('changes nothing as a GET, and records by any other method', () => {
    expect(changedBy(getProfile)).toEqual([])
    expect(changedBy(createListing)).toEqual(['records'])
    expect(changedBy(paymentCallback)).toEqual(['records'])
  })

  it('changes what its declaration names besides', () => {
    expect(changedBy(exportAccount)).toEqual(['records', 'objects'])
    expect(changedBy(uploadMedia)).toEqual(['records', 'objects'])
  })
})
