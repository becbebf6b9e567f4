import type { Json } from './schemas.ts'

/** What an example shows: what a caller must send, or all that is answered. */
export type Extent = 'required' | 'all'

/** A way round a schema that holds itself is not taken. */
const DEPTH_MAX = 16

/**
 * A value that a schema describes, made of the examples of its parts. A part without one shows its default, its first
 * value or something of its type.
 */
export function exampleOf(schema: unknown, schemas: Json, extent: Extent, depth = 0): unknown {
  if (!isJson(schema) || depth > DEPTH_MAX) return null
  const inner = (part: unknown) => exampleOf(part, schemas, extent, depth + 1)
  if (typeof schema['$ref'] === 'string') return inner(schemas[schema['$ref'].split('/').at(-1) ?? ''])
  for (const said of ['example', 'const', 'default']) if (said in schema) return schema[said]
  const [first] = listIn(schema, 'enum')
  if (first !== undefined) return first
  const choice = [...listIn(schema, 'anyOf'), ...listIn(schema, 'oneOf')].find(isNoNull)
  if (choice !== undefined) return inner(choice)
  const type = [schema['type']].flat().find((name) => name !== 'null')
  if (type === 'array') return [inner(schema['items'])]
  if (type === 'object') return objectOf(schema, extent, inner)
  return scalarOf(type, schema)
}

function objectOf(schema: Json, extent: Extent, inner: (part: unknown) => unknown): Json {
  const required = listIn(schema, 'required')
  const properties = Object.entries(isJson(schema['properties']) ? schema['properties'] : {})
  const shown = properties.filter(
    ([name, part]) => extent === 'all' || required.includes(name) || (isJson(part) && 'example' in part),
  )
  return Object.fromEntries(shown.map(([name, part]) => [name, inner(part)]))
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-11-20T17:00:00.000Z',
  date: '2026-11-20',
  ipv4: '203.0.113.7',
  email: 'awa@example.com',
  uri: 'https://www.example.com/',
}

function scalarOf(type: unknown, { format, pattern, minimum, minLength }: Json): unknown {
  if (type === undefined) return null
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1))
  const [, prefix] = /^\^(?:\(\?:)?([a-z]{3})[|)_]/.exec(String(pattern)) ?? []
  if (prefix !== undefined) return `${prefix}_01KAH3M6XQ8ZJ4T2V7W9C5RBND`
  return FORMATS[String(format)] ?? 'Some text'.padEnd(Number(minLength ?? 0), '.')
}

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNoNull = (part: unknown): boolean => isJson(part) && part['type'] !== 'null'

const listIn = (schema: Json, name: string): readonly unknown[] => {
  const list = schema[name]
  return Array.isArray(list) ? list : []
}
