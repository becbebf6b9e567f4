import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { CLIENT_SETTINGS } from '#lib/dynamo/client'

let client: DynamoDBClient | undefined

/** Reads an item as the service does. */
export async function read(TableName: string, id: string): Promise<unknown> {
  client ??= new DynamoDBClient(CLIENT_SETTINGS)
  const Key = { pk: { S: id }, sk: { S: id } }
  return (await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item
}
