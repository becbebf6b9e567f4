import { EXAMPLE_VALUES } from './example-values.ts'
import type { Json } from './schemas.ts'

/** The fields of an example: `required` for a request, with those that have an example; `all` for an answer. */
export type Extent = 'required' | 'all'

/** Ends the recursion into a schema that contains itself. */
const DEPTH_MAX = 16

/**
 * Returns an example of a schema. It is the value in `EXAMPLE_VALUES` for the name, else the schema's own example,
 * constant, default or first enumerated value, else a value of its type. A schema's own example goes before the table's
 * value for the bare name. `names` lead to the schema: the operation's body or answer first, the field last.
 */
export function exampleOf(
  schema: unknown,
  schemas: Json,
  extent: Extent,
  names: readonly string[] = [],
  depth = 0,
): unknown {
  if (!isJson(schema) || depth > DEPTH_MAX) return null
  const inner = (part: unknown, ...further: string[]) =>
    exampleOf(part, schemas, extent, [...names, ...further], depth + 1)
  const field = names.at(-1) ?? ''
  const isOverruled = (key: string) => key === field && 'example' in schema
  const found = keysOf(names)
    .filter((key) => Object.hasOwn(EXAMPLE_VALUES, key) && !isOverruled(key))
    .map((key) => EXAMPLE_VALUES[key])
    .find((value) => fits(value, schema, schemas))
  if (found !== undefined) return found
  if (typeof schema['$ref'] === 'string') {
    const name = nameIn(schema['$ref'])
    return inner(schemas[name], `${name[0]?.toLowerCase()}${name.slice(1)}`)
  }
  for (const keyword of ['example', 'const', 'default']) if (keyword in schema) return schema[keyword]
  const [first] = listIn(schema, 'enum')
  if (first !== undefined) return first
  const choice = [...listIn(schema, 'anyOf'), ...listIn(schema, 'oneOf')].find(isNotNull)
  if (choice !== undefined) return inner(choice)
  const type = typeOf(schema)
  if (type === 'array') return [inner(schema['items'])]
  if (type === 'object') return objectOf(schema, extent, inner)
  return scalarOf(type, schema, field)
}

/**
 * Returns the keys of the table for a field: `operation.field`, then `holder.field` from the nearest holder on, then
 * `field`. The operation is the outermost holder.
 */
function keysOf(names: readonly string[]): string[] {
  const [field, ...holders] = names.toReversed()
  if (field === undefined) return []
  const operation = holders.at(-1)
  const prefixes = operation === undefined ? [] : [operation, ...holders.slice(0, -1)]
  return [...prefixes.map((prefix) => `${prefix}.${field}`), field]
}

/** Whether the schema accepts a value of the table. */
function fits(value: unknown, schema: unknown, schemas: Json): boolean {
  if (!isJson(schema)) return false
  if (typeof schema['$ref'] === 'string') return fits(value, schemas[nameIn(schema['$ref'])], schemas)
  const choices = [...listIn(schema, 'anyOf'), ...listIn(schema, 'oneOf')]
  if (choices.length > 0) return choices.some((choice) => fits(value, choice, schemas))
  if ('const' in schema) return value === schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value)
  const types = [schema['type']].flat()
  if (value === null) return types.includes('null')
  if (Array.isArray(value)) {
    return (
      types.includes('array') &&
      value.length >= Number(schema['minItems'] ?? 0) &&
      value.every((item) => fits(item, schema['items'], schemas))
    )
  }
  if (typeof value === 'number') return types.includes('number') || types.includes('integer')
  return types.includes(typeof value) && (typeof value !== 'string' || textFits(value, schema))
}

const textFits = (value: string, { format, pattern, minLength, maxLength }: Json): boolean =>
  new RegExp(String(pattern ?? '')).test(value) &&
  (FORMAT_PATTERNS[String(format)]?.test(value) ?? true) &&
  value.length >= Number(minLength ?? 0) &&
  value.length <= Number(maxLength ?? Number.POSITIVE_INFINITY)

const FORMAT_PATTERNS: Record<string, RegExp> = {
  'date-time': /^[\d-]{10}T[\d:.]+Z$/,
  date: /^[\d-]{10}$/,
  email: /@/,
  uri: /^https:/,
}

function objectOf(schema: Json, extent: Extent, inner: (part: unknown, name: string) => unknown): Json {
  const required = listIn(schema, 'required')
  const properties = Object.entries(isJson(schema['properties']) ? schema['properties'] : {})
  const shown = properties.filter(
    ([name, part]) => extent === 'all' || required.includes(name) || (isJson(part) && 'example' in part),
  )
  return Object.fromEntries(shown.map(([name, part]) => [name, inner(part, name)]))
}

const FORMAT_EXAMPLES: Record<string, string> = {
  'date-time': '2026-11-20T17:00:00.000Z',
  date: '2026-11-20',
  ipv4: '203.0.113.7',
  email: 'awa@example.com',
  uri: 'https://www.example.com/',
}

function scalarOf(type: unknown, { format, pattern, minimum, minLength }: Json, field: string): unknown {
  if (type === undefined) return null
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return Math.max(1, Number(minimum ?? 1))
  // The pattern of an id begins with its prefix, such as `^usr_`, or with several, such as `^(?:usr|lst)_`.
  const [, prefix] = /^\^(?:\(\?:)?([a-z]{3})[|)_]/.exec(String(pattern)) ?? []
  if (prefix !== undefined) return `${prefix}_01KAH3M6XQ8ZJ4T2V7W9C5RBND`
  return FORMAT_EXAMPLES[String(format)] ?? `<${field}>`.padEnd(Number(minLength ?? 0), '.')
}

const typeOf = (schema: Json): unknown => [schema['type']].flat().find((name) => name !== 'null')

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? ''

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNotNull = (part: unknown): boolean => isJson(part) && part['type'] !== 'null'

const listIn = (schema: Json, name: string): readonly unknown[] => {
  const list = schema[name]
  return Array.isArray(list) ? list : []
}
