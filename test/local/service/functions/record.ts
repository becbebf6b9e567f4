import { appendFile } from 'node:fs/promises'
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda'

type Event = { Records?: (Partial<DynamoDBRecord> & Partial<SQSRecord>)[] }

const refused = new Set<string>()

/** Writes down what it was given. Refuses a record whose key says so: the first time, or every time. */
export const handler = async (event: Event) => {
  await appendFile(`${process.env['RECORD_FILE']}`, `${JSON.stringify(event)}\n`)
  const refusedNow = (event.Records ?? []).filter((record) => {
    const { dynamodb } = record.body === undefined ? record : (JSON.parse(record.body) as DynamoDBRecord)
    const key = dynamodb?.Keys?.['sk']?.S ?? ''
    if (key.startsWith('ALWAYS REFUSED')) return true
    if (!key.startsWith('REFUSED') || refused.has(key)) return false
    refused.add(key)
    return true
  })
  return {
    batchItemFailures: refusedNow.map(({ messageId, dynamodb }) => ({
      itemIdentifier: messageId ?? dynamodb?.SequenceNumber,
    })),
  }
}
