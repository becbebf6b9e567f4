import { describe, expect, it } from 'vitest'
import { actionsOf, narrowed } from '#lib/package/sent-actions'

const command = (client: string, name: string) =>
  `node_modules/@aws-sdk/client-${client}/dist-es/commands/${name}Command.js`
const bundle = (...paths: string[]) => ({
  bytes: Object.fromEntries(paths.map((path) => [path, 100])),
  natives: [],
})

describe('the actions of a bundle', () => {
  it('are those of the commands that it holds, as IAM names them', () => {
    const paths = [command('dynamodb', 'GetItem'), command('sesv2', 'SendEmail'), 'lib/accounts/account.ts']
    expect([...actionsOf(bundle(...paths))]).toEqual(['dynamodb:GetItem', 'ses:SendEmail'])
  })

  it('are all that a command needs, where IAM names none after it', () => {
    expect([...actionsOf(bundle(command('sqs', 'SendMessageBatch')))]).toEqual(['sqs:SendMessage'])
    expect(actionsOf(bundle(command('dynamodb', 'TransactWriteItems')))).toContain(
      'dynamodb:ConditionCheckItem',
    )
    expect(actionsOf(bundle(command('s3', 'HeadObject')))).toContain('s3:ListBucket')
  })
})

describe('a grant', () => {
  const grants = {
    TABLE_NAME: [
      { Effect: 'Allow' as const, Action: ['dynamodb:GetItem', 'dynamodb:PutItem'], Resource: 'table' },
      { Effect: 'Allow' as const, Action: ['dynamodb:Query'], Resource: 'index' },
    ],
    stream: [{ Effect: 'Allow' as const, Action: ['s3:PutObject'], Resource: 'failures' }],
  }

  it('is narrowed to what the function can send, and left out where it can send nothing of it', () => {
    expect(narrowed(grants, new Set(['dynamodb:GetItem']))['TABLE_NAME']).toEqual([
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: 'table' },
    ])
  })

  it('that Lambda uses for the function is kept', () => {
    expect(narrowed(grants, new Set())['stream']).toEqual(grants.stream)
  })
})
