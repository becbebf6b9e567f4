import { dynamo } from '#lib/dynamo/client'

/** Reads an item as the service does. */
export async function read(TableName: string, id: string): Promise<unknown> {
  const Key = { pk: { S: id }, sk: { S: id } }
  return (await dynamo.send('GetItem', { TableName, Key, ConsistentRead: true })).Item
}
