import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'

let client: DynamoDBClient | undefined

/** Reads an item with the SDK, without the copies that it makes of each request and answer for a log. */
export async function read(TableName: string, id: string): Promise<unknown> {
  client ??= makeClient()
  const Key = { pk: { S: id }, sk: { S: id } }
  return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item
}

function makeClient(): DynamoDBClient {
  const made = new DynamoDBClient({ maxAttempts: 4 })
  made.middlewareStack.remove('loggerMiddleware')
  return made
}
