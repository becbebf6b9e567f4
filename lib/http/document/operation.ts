import type { Json } from './schemas.ts'

/** A body by content type. */
export type DocumentedContent = Record<string, { schema: Json; example?: unknown }>

/** The responses of an operation, by status. */
export type Responses = Record<string, { description: string; headers?: Json; content?: DocumentedContent }>

/** The input and the answers of a route. */
export type DocumentedExchange = Json & {
  requestBody?: { required: boolean; content: DocumentedContent }
  responses: Responses
}

/** An operation of the OpenAPI document. */
export type Operation = DocumentedExchange & { operationId: string; tags: string[] }
