import { describe, expect, it } from 'vitest'
import { namesIn } from '#lib/package/bundle'
import { actionsOf } from '#lib/package/sent-actions'

const command = (client: string, name: string) =>
  `node_modules/@aws-sdk/client-${client}/dist-es/commands/${name}Command.js`
const bundle = (paths: string[], text = '') => ({
  bytes: Object.fromEntries(paths.map((path) => [path, 100])),
  names: namesIn(text),
  natives: [],
})

describe('the actions of a bundle', () => {
  it('are those of the commands that it holds, as IAM names them', () => {
    const paths = [command('dynamodb', 'GetItem'), command('sesv2', 'SendEmail'), 'lib/accounts/account.ts']
    expect([...actionsOf(bundle(paths))]).toEqual(['dynamodb:GetItem', 'ses:SendEmail'])
  })

  it('are all that a command needs, where IAM names none after it', () => {
    expect([...actionsOf(bundle([command('sqs', 'SendMessageBatch')]))]).toEqual(['sqs:SendMessage'])
    expect(actionsOf(bundle([command('dynamodb', 'TransactWriteItems')]))).toContain(
      'dynamodb:ConditionCheckItem',
    )
    expect(actionsOf(bundle([command('s3', 'HeadObject')]))).toContain('s3:ListBucket')
  })

  it('are not those of a command that only an uncalled method of the table sends', () => {
    const paths = ['GetItem', 'Query', 'BatchWriteItem'].map((name) => command('dynamodb', name))
    const text = 'const table={query:async()=>{},writeEach:async()=>{}};await table.queryAll(options)'
    expect([...actionsOf(bundle(paths, text))]).toEqual(['dynamodb:GetItem', 'dynamodb:Query'])
  })
})
