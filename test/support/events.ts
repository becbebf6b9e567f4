import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { DomainEvent } from '#lib/events/event'

/** Everything that was announced about a subject, oldest first. */
export async function eventsAbout(subject: string): Promise<DomainEvent[]> {
  const events: DomainEvent[] = []
  const pages = paginateScan(
    { client: new DynamoDBClient({}) },
    {
      TableName: process.env['TABLE_NAME'],
      FilterExpression: '#kind = :kind AND #subject = :subject',
      ExpressionAttributeNames: { '#kind': 'kind', '#subject': 'subject' },
      ExpressionAttributeValues: { ':kind': { S: 'event' }, ':subject': { S: subject } },
    },
  )
  for await (const { Items = [] } of pages) {
    events.push(...Items.map((item) => DomainEvent.parse(unmarshall(item))))
  }
  return events.sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** The events of one type about a subject, oldest first. */
export const eventsOf = async (subject: string, type: string): Promise<DomainEvent[]> =>
  (await eventsAbout(subject)).filter((event) => event.type === type)
