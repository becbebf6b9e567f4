import type { Json } from './schemas.ts'

/** The fields of an example: `required` for a request, `all` for an answer. */
export type Extent = 'required' | 'all'

/** Ends the recursion into a schema that contains itself. */
const DEPTH_MAX = 16

/**
 * Returns an example of a schema: its own, else a value of its kind. A scalar that may be null is null without an example
 * of its own. An object's own example may hold some of its fields: those of the extent are added.
 */
export function exampleOf(
  schema: unknown,
  schemas: Json,
  extent: Extent,
  isNullable = false,
  depth = 0,
): unknown {
  if (!isJson(schema) || depth > DEPTH_MAX) return null
  const inner = (part: unknown, mayBeNull = false) => exampleOf(part, schemas, extent, mayBeNull, depth + 1)
  const { $ref, example } = schema
  if (example !== undefined && !isJson(example)) return example
  const choices =
    typeof $ref === 'string'
      ? [schemas[nameIn($ref)]]
      : [...listIn(schema, 'anyOf'), ...listIn(schema, 'oneOf')]
  const choice = choices.find((part) => !isNull(part))
  if (choice !== undefined) return inner(withExample(choice, example), isNullable || choices.some(isNull))
  const types = [schema['type']].flat()
  const type = types.find((name) => name !== 'null')
  if (type === 'object') return objectOf(schema, extent, inner)
  if (type === 'array') return [inner(schema['items'])]
  return isNullable || types.includes('null') ? null : scalarOf(type, schema)
}

/** Returns a schema with an example that comes before its own, or whose fields come before those of its own. */
function withExample(schema: unknown, example: unknown): unknown {
  if (!isJson(schema) || example === undefined) return schema
  const { example: own } = schema
  return { ...schema, example: isJson(own) && isJson(example) ? { ...own, ...example } : example }
}

function objectOf(
  { example, properties, ...schema }: Json,
  extent: Extent,
  inner: (part: unknown) => unknown,
): Json {
  const given = isJson(example) ? example : {}
  const required = listIn(schema, 'required')
  const shown = Object.entries(isJson(properties) ? properties : {})
    .filter(([name]) => extent === 'all' || required.includes(name) || name in given)
    .map(([name, part]) => [name, inner(withExample(part, given[name]))])
  return { ...given, ...Object.fromEntries(shown) }
}

const FORMAT_EXAMPLES: Record<string, string> = {
  'date-time': '2026-11-02T09:14:31.207Z',
  date: '2026-11-20',
  email: 'awa@example.com',
  uri: 'https://www.example.com/',
}

function scalarOf(type: unknown, schema: Json): unknown {
  const { format, pattern, minimum } = schema
  const first = schema['const'] ?? schema['default'] ?? listIn(schema, 'enum')[0]
  if (first !== undefined) return first
  if (type === undefined) return null
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1))
  // The pattern of an id begins with its prefix, such as `^usr_`, or with several, such as `^(?:usr|lst)_`.
  const [, prefix] = /^\^(?:\(\?:)?([a-z]{3})[|)_]/.exec(String(pattern)) ?? []
  if (prefix !== undefined) return `${prefix}_01KAH3M6XQ8ZJ4T2V7W9C5RBND`
  return FORMAT_EXAMPLES[String(format)] ?? 'Some text'
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? ''

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNull = (part: unknown): boolean => isJson(part) && part['type'] === 'null'

const listIn = (schema: Json, name: string): readonly unknown[] => {
  const list = schema[name]
  return Array.isArray(list) ? list : []
}
