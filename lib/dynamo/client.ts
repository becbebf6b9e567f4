import { DynamoDBClient } from '@aws-sdk/client-dynamodb'

let client: DynamoDBClient | undefined

/** The one client of a running function, made at the first use; keep-alive is its default. */
export const dynamo = (): DynamoDBClient => {
  client ??= new DynamoDBClient({})
  return client
}
