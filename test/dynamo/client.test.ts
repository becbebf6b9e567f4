import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import { dynamo } from '#lib/dynamo/client'

describe('the client of the table', () => {
  it('leaves out the copies that the SDK makes of each request and answer for a log', () => {
    const copies = ({ middlewareStack }: DynamoDBClient) =>
      middlewareStack.identify().filter((name) => name.startsWith('loggerMiddleware'))
    expect([copies(new DynamoDBClient({})).length, copies(dynamo()).length]).toEqual([1, 0])
  })
})
