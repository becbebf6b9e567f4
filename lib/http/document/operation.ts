import type { Json } from './schemas.ts'

/** A body by content type. */
export type Content = Record<string, { schema: Json; example?: unknown }>

/** The responses of an operation, by status. */
export type Responses = Record<string, { description: string; headers?: Json; content?: Content }>

/** What a route takes and answers. */
export type Exchange = Json & {
  requestBody?: { required: boolean; content: Content }
  responses: Responses
}

/** An operation of the OpenAPI document. */
export type Operation = Exchange & { operationId: string; tags: string[] }
