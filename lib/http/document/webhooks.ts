import type * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { EventId } from '#lib/kernel/id'
import { type Json, jsonSchema } from './schemas.ts'

/** The data of events by type: of all listed events, and of the events for webhooks. */
export type DescribedEvents = {
  listed: Readonly<Record<string, z.ZodType>>
  sent: Readonly<Record<string, z.ZodType>>
}

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

/** The messages to the addresses of administrators' webhooks, by the type of the event (Standard Webhooks). */
export const describeWebhooks = (events: DescribedEvents['sent']): Json =>
  Object.fromEntries(
    Object.entries(events).map(([type, data]) => [type, { post: describeWebhook(type, data) }]),
  )

const describeWebhook = (type: string, data: z.ZodType): Json => ({
  operationId: `${nameOf(type)}Event`,
  tags: ['Administration'],
  summary: `${type} has happened`,
  description: data.description,
  // No credential is sent: the receiver knows us by the signature.
  security: [{}],
  parameters: HEADERS,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: eventSchema(type, data, 'timestamp') } },
  },
  responses: { '2XX': { description: 'Received; anything else is tried again' } },
})

/** Returns the schemas of listed events by name: one for each type, and the union that discriminates them. */
export function eventSchemas(events: DescribedEvents['listed']): Json {
  const names = Object.entries(events).map(([type, data]) => {
    const name = nameOf(type)
    return { type, data, name: `${name[0]?.toUpperCase()}${name.slice(1)}Event` }
  })
  const place = (name: string) => `#/components/schemas/${name}`
  return {
    ...Object.fromEntries(names.map(({ type, data, name }) => [name, eventSchema(type, data, 'at')])),
    DomainEvent: {
      oneOf: names.map(({ name }) => ({ $ref: place(name) })),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(names.map(({ type, name }) => [type, place(name)])),
      },
    },
  }
}

/** Returns the schema of an event, whose time is `at` in lists and `timestamp` in webhooks (Standard Webhooks). */
const eventSchema = (type: string, data: z.ZodType, time: 'at' | 'timestamp'): Json => ({
  type: 'object',
  description: data.description,
  required: ['id', 'type', time, 'subject', 'data'],
  properties: {
    id: {
      ...jsonSchema(EventId, 'output'),
      description: 'The id of the event; in a webhook, as in `webhook-id`',
    },
    type: { type: 'string', const: type },
    [time]: jsonSchema(Timestamp, 'output'),
    subject: {
      type: 'string',
      description: 'The id of what it is about',
      example: 'lst_01KAH3M6XQ8ZJ4T2V7W9C5RBND',
    },
    data: jsonSchema(data, 'output'),
  },
})

/** Spells a type as a name: `listing.price_changed` is `listingPriceChanged`. */
const nameOf = (type: string): string =>
  type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())
