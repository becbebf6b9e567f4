import { describe, expect, it } from 'vitest'
import { arnOf } from '#lib/package/grants'
import { rolesFor } from '#lib/package/roles'

it('An ARN of the template is told by the names of its references.', () => {
  expect(arnOf({ Ref: 'Table' })).toBe('{Table}')
  expect(arnOf({ 'Fn::GetAtt': ['Table', 'Arn'] })).toBe('{Table.Arn}')
  expect(arnOf({ 'Fn::Sub': 'arn:${AWS::Partition}:s3:::x' })).toBe('arn:{AWS::Partition}:s3:::x')
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

  it('allows reads, writes and removals of the declared partitions, but no removal of events, and queries of an index apart', () => {
    const uses = { USER: ['read', 'write'], EMAIL: ['write'], EVENTS: ['write'], 'gsi1:OWNER': ['read'] }
    expect(statementsOf({ variables: [], uses })).toEqual([
      {
        Effect: 'Allow',
        Action: [
          'dynamodb:GetItem',
          'dynamodb:BatchGetItem',
          'dynamodb:Query',
          'dynamodb:ConditionCheckItem',
        ],
        Resource: TABLE,
        Condition: within('USER#*'),
      },
      {
        Effect: 'Allow',
        Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
        Resource: TABLE,
        Condition: within('EMAIL#*', 'EVENTS#*', 'USER#*'),
      },
      {
        Effect: 'Allow',
        Action: ['dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'],
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
