import type * as z from 'zod'
import { type Json, jsonSchema } from './schemas.ts'

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description,
})

const HEADERS = [
  header('webhook-id', "The event's id; the same in every attempt"),
  header('webhook-timestamp', 'When it was sent, in Unix seconds'),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of id, timestamp and body, one for each live secret',
  ),
]

/** What is sent to the addresses that administrators register, by the type of the event (Standard Webhooks). */
export const describeWebhooks = (events: Readonly<Record<string, z.ZodType>>): Json =>
  Object.fromEntries(
    Object.entries(events).map(([type, data]) => [type, { post: describeEvent(type, data) }]),
  )

const describeEvent = (type: string, data: z.ZodType): Json => ({
  operationId: `${type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())}Event`,
  tags: ['Administration'],
  summary: `${type} has happened`,
  // No credential is sent: the receiver knows us by the signature.
  security: [{}],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['id', 'type', 'timestamp', 'subject', 'data'],
          properties: {
            id: { type: 'string', description: 'The id of the event, as in `webhook-id`' },
            type: { type: 'string', const: type },
            timestamp: { type: 'string', format: 'date-time' },
            subject: { type: 'string', description: 'The id of what it is about' },
            data: jsonSchema(data, 'output'),
          },
        },
      },
    },
  },
  responses: { '2XX': { description: 'Received; anything else is tried again' } },
})
