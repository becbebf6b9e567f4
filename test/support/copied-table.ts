import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  paginateScan,
} from '@aws-sdk/client-dynamodb'

const ITEMS_A_WRITE = 25

/**
 * Copies a table with its indexes and its items into a new one. As after a restore by DynamoDB, the copy has no stream and
 * no time to live, and nothing protects it.
 */
export async function copyTable(client: DynamoDBClient, from: string, to: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: from }))
  await client.send(
    new CreateTableCommand({
      TableName: to,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: Table?.AttributeDefinitions,
      KeySchema: Table?.KeySchema,
      GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
  )
  const pages = paginateScan({ client, pageSize: ITEMS_A_WRITE }, { TableName: from, ConsistentRead: true })
  for await (const { Items = [] } of pages) {
    if (Items.length === 0) continue
    const puts = Items.map((Item) => ({ PutRequest: { Item } }))
    await client.send(new BatchWriteItemCommand({ RequestItems: { [to]: puts } }))
  }
}
