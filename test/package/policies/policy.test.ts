import { describe, expect, it } from 'vitest'
import { type Dependency, withUsesTestedElsewhere } from '#lib/config/config'
import { onTable } from '#lib/dynamo/table'
import { arnOf } from '#lib/package/grants'
import { allows } from '#lib/package/policies/policy'
import { pairsOf, requestsOf } from '#lib/package/policies/requests'
import { type ProvenFunction, unneededReasonFaults, useFaults } from '#lib/package/policies/use-faults'
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
    const copy = { by: 'x', service: 'S3', command: 'CopyObject', touched: { MediaBucket: ['public/*/*/'] } }
    expect(requestsOf(copy)).toEqual([{ action: 's3:PutObject', resource: '{MediaBucket.Arn}/public/*/*/x' }])
    expect(pairsOf(copy)).toEqual(['public/ put'])
  })

  it('is a pair of a place and an action for each partition, index and folder', () => {
    const touched = { table: ['EMAIL#', 'USER#'], 'index/gsi1': ['AGENT#'] }
    expect(pairsOf({ by: 'x', service: 'DynamoDB', command: 'Query', touched })).toEqual([
      'EMAIL query',
      'USER query',
      'gsi1:AGENT query',
    ])
  })

  it('is a list of every folder where it lists a whole bucket', () => {
    const list = { by: 'x', service: 'S3', command: 'ListObjectsV2', touched: { DocumentsBucket: [''] } }
    expect(pairsOf(list)).toEqual(['documents/ list', 'exports/ list'])
  })

  it('cannot be a scan, which no store declares', () => {
    const scan = { by: 'x', service: 'DynamoDB', command: 'Scan', touched: { table: [''] } }
    expect(() => pairsOf(scan)).toThrow('No store declares Scan')
  })
})

describe('a role', () => {
  const bearer = { name: 'getProfile', variables: ['HMAC_KEYS_PARAMETER'], eventSources: [], uses: {} }
  const KEYS = { Effect: 'Allow' as const, Action: ['ssm:GetParameter'], Resource: 'keys' }
  const FAILURES = { Effect: 'Allow' as const, Action: ['s3:PutObject'], Resource: 'failures' }
  const BUS = { Effect: 'Allow' as const, Action: ['events:PutEvents'], Resource: 'bus' }
  const grants = { HMAC_KEYS_PARAMETER: [KEYS], schedule: [FAILURES], eventBus: [BUS] }
  const statementsOf = (of: Partial<Parameters<typeof rolesFor>[0][number]>) => {
    const { resources, roleOf } = rolesFor([{ ...bearer, ...of }], grants)
    const role = resources[roleOf['getProfile'] ?? ''] as {
      Properties: { Policies: { PolicyDocument: { Statement: object[] } }[] }
    }
    const [, ...statements] = role.Properties.Policies.flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement,
    )
    return statements
  }
  const TABLE = { 'Fn::GetAtt': ['Table', 'Arn'] }
  const within = (...partitions: string[]) => ({
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
  })

  it('allows what the function’s variables, event sources and places call for', () => {
    expect(statementsOf({})).toEqual([KEYS])
    expect(statementsOf({ eventSources: ['schedule'] })).toEqual([KEYS, FAILURES])
    expect(statementsOf({ uses: { eventBus: ['send'] } })).toEqual([KEYS, BUS])
  })

  it('allows each declared action in the partitions that declare it, and an index’s queries apart', () => {
    const uses = { USER: ['get', 'put'], EMAIL: ['put'], 'gsi1:OWNER': ['query'] }
    expect(statementsOf({ variables: [], uses })).toEqual([
      {
        Effect: 'Allow',
        Action: ['dynamodb:GetItem', 'dynamodb:BatchGetItem'],
        Resource: TABLE,
        Condition: within('USER#*'),
      },
      {
        Effect: 'Allow',
        Action: ['dynamodb:PutItem'],
        Resource: TABLE,
        Condition: within('EMAIL#*', 'USER#*'),
      },
      {
        Effect: 'Allow',
        Action: ['dynamodb:Query'],
        Resource: { 'Fn::Sub': '${Table.Arn}/index/gsi1' },
        Condition: within('OWNER#*'),
      },
    ])
  })

  it('allows each declared action in the folders that declare it, and to list where objects are read', () => {
    const uses = { 'originals/': ['get'], 'variants/': ['put'], 'documents/': ['remove'] }
    expect(statementsOf({ variables: [], uses })).toEqual([
      {
        Effect: 'Allow',
        Action: ['s3:GetObject'],
        Resource: [{ 'Fn::Sub': '${MediaBucket.Arn}/originals/*' }],
      },
      {
        Effect: 'Allow',
        Action: ['s3:PutObject'],
        Resource: [{ 'Fn::Sub': '${MediaBucket.Arn}/variants/*' }],
      },
      {
        Effect: 'Allow',
        Action: ['s3:DeleteObject'],
        Resource: [{ 'Fn::Sub': '${DocumentsBucket.Arn}/documents/*' }],
      },
      { Effect: 'Allow', Action: ['s3:ListBucket'], Resource: { 'Fn::GetAtt': ['MediaBucket', 'Arn'] } },
    ])
  })
})

describe('the proof of what functions declare', () => {
  const store = onTable(() => ({}), { USER: ['get', 'put'] })
  const provenBy = (name: string, dependency: Dependency<unknown>, ...sent: string[]): ProvenFunction => ({
    name,
    uses: dependency.uses ?? {},
    dependencies: [dependency],
    sent: new Set(sent),
  })

  it('finds nothing where a function sends what it declares', () => {
    expect(useFaults(provenBy('getKyc', store, 'USER get', 'USER put'))).toEqual([])
  })

  it('names a pair that a function sends and does not declare', () => {
    expect(useFaults(provenBy('getKyc', store, 'USER get', 'USER put', 'EMAIL get'))).toEqual([
      'getKyc does not declare EMAIL get',
    ])
  })

  it('names a pair that a function declares and does not send, unless its adapter gives a reason', () => {
    expect(useFaults(provenBy('getKyc', store, 'USER get'))).toEqual([
      'getKyc declares USER put, and never does it',
    ])
    expect(useFaults(provenBy('getKyc', withUsesTestedElsewhere(store, 'rare'), 'USER get'))).toEqual([])
  })

  it('names a reason that no function needs', () => {
    const rare = withUsesTestedElsewhere(
      onTable(() => ({}), { USER: ['get'] }),
      'rare',
    )
    expect(unneededReasonFaults([provenBy('one', rare, 'USER get'), provenBy('other', rare)])).toEqual([])
    expect(unneededReasonFaults([provenBy('one', rare, 'USER get')])).toEqual([
      'No function needs the reason “rare”',
    ])
  })
})
