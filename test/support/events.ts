import { DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { DomainEvent } from '#lib/events/event'

/** Everything that was announced about a subject, oldest first. */
export const eventsAbout = (subject: string): Promise<DomainEvent[]> =>
  eventsThat('#subject = :id', { '#subject': 'subject' }, subject)

/** Everything that was announced of a listing: it is the subject, or what is said names it. Oldest first. */
export const eventsNaming = (listingId: string): Promise<DomainEvent[]> =>
  eventsThat(
    '(#subject = :id OR #data.#listingId = :id)',
    { '#subject': 'subject', '#data': 'data', '#listingId': 'listingId' },
    listingId,
  )

async function eventsThat(filter: string, names: Record<string, string>, id: string): Promise<DomainEvent[]> {
  const events: DomainEvent[] = []
  const pages = paginateScan(
    { client: new DynamoDBClient({}) },
    {
      TableName: process.env['TABLE_NAME'],
      FilterExpression: `#kind = :kind AND ${filter}`,
      ExpressionAttributeNames: { '#kind': 'kind', ...names },
      ExpressionAttributeValues: { ':kind': { S: 'event' }, ':id': { S: id } },
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
