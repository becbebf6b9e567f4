import * as z from 'zod'
import { PROBLEMS } from '#lib/http/problems'
import type { FieldError, ProblemCode } from '#lib/kernel/domain-error'

/** Part of a JSON document. */
export type Json = Record<string, unknown>

const Problem = z
  .object({
    type: z.string().meta({ description: 'A stable address that ends in the code' }),
    title: z.string().meta({ description: 'The same for every occurrence of a code' }),
    status: z.int(),
    code: z.enum(Object.keys(PROBLEMS) as ProblemCode[]),
    detail: z.string().meta({ description: 'This occurrence' }),
    requestId: z.string(),
    errors: z
      .array(z.object({ path: z.string(), code: z.string(), message: z.string() } satisfies Fields))
      .optional(),
  })
  .meta({
    id: 'Problem',
    description: 'RFC 9457. Some codes add members, such as `from`, `to` and `allowed`.',
  })

type Fields = Record<keyof FieldError, z.ZodType>

const REFERENCES = { uri: (id: string) => `#/components/schemas/${id}` }

/** A schema as JSON Schema: those with an id are referred to; whatever the direction, the wire is the schema's input side. */
export function jsonSchema(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id
  if (id) return { $ref: REFERENCES.uri(id) }
  const {
    $schema: _dialect,
    $defs: _shared,
    ...rest
  } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', '"#/components/schemas/'))
}

/** Every schema that has an id, once. */
export function componentSchemas(): Json {
  void Problem
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...REFERENCES, io: 'input', unrepresentable: 'any' })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, id: _own, ...schema }]) => [id, schema]),
  )
}
