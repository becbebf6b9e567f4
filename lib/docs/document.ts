import * as z from 'zod'

const Schema = z.record(z.string(), z.unknown())

const DocumentedOperation = z.object({
  parameters: z
    .array(
      z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema: Schema }),
    )
    .default([]),
  requestBody: z
    .object({
      content: z.record(
        z.string(),
        z.object({
          schema: z.looseObject({ properties: Schema.optional(), required: z.array(z.string()).optional() }),
          example: z.unknown().optional(),
        }),
      ),
    })
    .optional(),
  responses: z.record(z.string(), z.object({ description: z.string().default('') })),
  operationId: z.string(),
  summary: z.string(),
  description: z.string().default(''),
  tags: z.tuple([z.string()]),
  security: z.array(z.record(z.string(), z.unknown())),
})

export type DocumentedOperation = z.infer<typeof DocumentedOperation>

const Document = z.object({
  components: z.object({ schemas: Schema }),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), DocumentedOperation)),
  webhooks: z.record(z.string(), z.record(z.string(), DocumentedOperation)),
})

export type ApiDocument = z.infer<typeof Document>
export type DocumentedSchemas = ApiDocument['components']['schemas']

/** Parses the OpenAPI document. Throws where an operation has no id, no summary, or not exactly one tag. */
export const readDocument = (document: unknown): ApiDocument => Document.parse(document)
