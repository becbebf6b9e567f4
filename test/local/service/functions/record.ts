import { appendFile } from 'node:fs/promises'
import type { DynamoDBRecord } from 'aws-lambda'

type Event = { Records?: Partial<DynamoDBRecord>[] }

const refused = new Set<string>()

/** Writes down what it was given. Refuses a record whose key says so, the first time. */
export const handler = async (event: Event) => {
  await appendFile(`${process.env['RECORD_FILE']}`, `${JSON.stringify(event)}\n`)
  const refusedNow = (event.Records ?? []).filter(({ dynamodb }) => {
    const key = dynamodb?.Keys?.['sk']?.S ?? ''
    if (!key.startsWith('REFUSED') || refused.has(key)) return false
    refused.add(key)
    return true
  })
  return {
    batchItemFailures: refusedNow.map(({ dynamodb }) => ({ itemIdentifier: dynamodb?.SequenceNumber })),
  }
}
