import { describe, expect, it } from 'vitest'
import { namesIn } from '#lib/package/bundle'
import { confinedTo, narrowed } from '#lib/package/narrowed'
import { opened, tableGrants } from '#lib/package/table-grants'

const COMMANDS = ['GetItem', 'PutItem', 'DeleteItem', 'Query'].map(
  (name) => `node_modules/@aws-sdk/client-dynamodb/dist-es/commands/${name}Command.js`,
)
const OBJECTS = ['node_modules/@aws-sdk/client-s3/dist-es/commands/PutObjectCommand.js']
const bundle = (paths: string[], text: string) => ({
  bytes: Object.fromEntries(paths.map((path) => [path, 100])),
  names: namesIn(text),
  natives: [],
})

const onTable = tableGrants({
  table: { USER: ['read', 'put'], SESSION: ['read', 'put', 'remove'], EVENTS: ['put'] },
  gsi1: ['USER'],
  gsi2: ['LISTINGS'],
})
const TABLE = { 'Fn::GetAtt': ['Table', 'Arn'] }
const within = (...partitions: string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
})

describe('what a function may do with the table', () => {
  const granted = (text: string) => narrowed({ TABLE_NAME: onTable }, bundle(COMMANDS, text))['TABLE_NAME']

  it('is what each partition allows, in the partitions that its bundle spells', () => {
    expect(granted('pk:`USER#${id}`')).toEqual([
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: TABLE, Condition: within('USER#*') },
      { Effect: 'Allow', Action: ['dynamodb:PutItem'], Resource: TABLE, Condition: within('USER#*') },
    ])
  })

  it('is the removal of records only where it spells a partition whose records are removed', () => {
    const removes = (text: string) => JSON.stringify(granted(text)).includes('DeleteItem')
    expect(removes('pk:`USER#${id}`')).toBe(false)
    expect(removes('pk:`SESSION#${id}`')).toBe(true)
  })

  it('is a query of an index only where it spells the index and a partition of it', () => {
    const query = 'table.query({partition:`USER#${id}`,index:'
    const INDEX = { 'Fn::Sub': '${Table.Arn}/index/gsi1' }
    expect(granted(`${query}"gsi1"})`)).toContainEqual({
      Effect: 'Allow',
      Action: ['dynamodb:Query'],
      Resource: INDEX,
      Condition: within('USER#*'),
    })
    expect(JSON.stringify(granted(`${query}"gsi2"})`))).not.toContain('/index/')
  })

  it('counts a list that is spelled by its name alone', () => {
    expect(JSON.stringify(granted('shardedKey("EVENTS",id)'))).toContain('EVENTS#*')
  })
})

describe('a partition that some store declares', () => {
  const partitions = {
    table: { USER: ['read', 'put', 'check'], SESSION: ['read', 'remove'] },
    gsi1: ['USER'],
    gsi2: [],
  } as const
  const closed = new Set(['USER'])

  it('is closed to a function of which no store declares it', () => {
    expect(opened(partitions, closed, {}).table).toEqual({ USER: [], SESSION: ['read', 'remove'] })
  })

  it('is open for the actions that a function’s stores declare, of those that the partition has', () => {
    const touches = { USER: ['read', 'remove'] }
    expect(opened(partitions, closed, touches).table['USER']).toEqual(['read'])
  })

  it('stays open to queries of an index', () => {
    expect(opened(partitions, closed, {}).gsi1).toEqual(['USER'])
  })
})

describe('what a function may do with a bucket', () => {
  const grants = {
    MEDIA_BUCKET: [
      {
        Effect: 'Allow' as const,
        Action: ['s3:GetObject', 's3:PutObject'],
        Resource: ['originals', 'public'].map((folder) => ({
          'Fn::Sub': `\${MediaBucket.Arn}/${folder}/*`,
        })),
      },
    ],
  }

  it('is what it can send, in the folders that its bundle spells', () => {
    expect(narrowed(grants, bundle(OBJECTS, 'key=`originals/${id}`'))['MEDIA_BUCKET']).toEqual([
      {
        Effect: 'Allow',
        Action: ['s3:PutObject'],
        Resource: { 'Fn::Sub': '${MediaBucket.Arn}/originals/*' },
      },
    ])
    expect(narrowed(grants, bundle(OBJECTS, 'key="x"'))['MEDIA_BUCKET']).toEqual([])
  })
})

describe('a function that is confined', () => {
  const spelling = bundle(COMMANDS, 'pk:`USER#${id}`,pk:`SESSION#${id}`;table.query(x,"gsi1")')

  it('may touch no partition beside those named', () => {
    const granted = narrowed({ TABLE_NAME: onTable }, confinedTo(['SESSION'], spelling))
    expect(JSON.stringify(granted)).toContain('SESSION#*')
    expect(JSON.stringify(granted)).not.toContain('USER#*')
  })

  it('keeps what it can send, and is given nothing that its bundle does not spell', () => {
    const { names } = confinedTo(['SESSION', 'LISTING'], spelling)
    expect([...names].sort()).toEqual(['.query', 'SESSION', 'gsi1'])
    expect(confinedTo(undefined, spelling)).toBe(spelling)
  })
})

it('What Lambda does with the function’s role is granted whatever the bundle holds.', () => {
  const stream = [{ Effect: 'Allow' as const, Action: ['s3:PutObject'], Resource: 'failures' }]
  expect(narrowed({ stream }, bundle([], ''))['stream']).toEqual(stream)
})
