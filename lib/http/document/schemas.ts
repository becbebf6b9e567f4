// The library `zod-openapi` (19 kB minified) is not used: it would replace only `nameSchemas` and its helpers. The rest
// of this folder describes routes, access, problems, headers and examples, which libraries do not know.
import * as z from 'zod'

/** Part of a JSON document. */
export type Json = Record<string, unknown>

/** Whether a schema describes requests or answers: a field with a default is optional in requests. */
type Direction = 'input' | 'output'

const PLACE = '#/components/schemas/'

/** Returns a reference to a schema with an id. Until `nameSchemas` has run, the text contains its direction too. */
export const referenceTo = (id: string, direction: Direction): Json => ({
  $ref: `${PLACE}${id}:${direction}`,
})

const optionsFor = (io: Direction) => ({
  io,
  unrepresentable: 'any' as const,
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    // Answers gain fields without a new version.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    // A format says all that its pattern would.
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern
    // Every whole number of ours is a safe integer of JavaScript, so clients need no bound.
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  },
})

/** Returns a schema as JSON Schema; schemas with an id, at every depth, become references. */
export function jsonSchema(schema: z.core.$ZodType, direction: Direction): Json {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return referenceTo(id, direction)
  const { $schema: _dialect, $defs: _shared, ...rest } = z.toJSONSchema(schema, optionsFor(direction))
  // Zod refers to a schema with an id as `#/$defs/<id>`.
  return JSON.parse(
    JSON.stringify(rest).replace(/"#\/\$defs\/([^"]+)"/g, `"${PLACE}$1:${direction}"`),
    describeDefaults,
  )
}

/**
 * Writes the defaults of properties in words, as a reviver of `JSON.parse`. Some generators demand a property with a
 * default in requests, because answers always contain it.
 */
function describeDefaults(key: string, value: unknown): unknown {
  if (key !== 'properties' || typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, withDefaultInWords(property)]),
  )
}

function withDefaultInWords(property: Json): Json {
  if (!('default' in property)) return property
  const { default: value, description, ...rest } = property
  // A field that may be null is expected to be null by default.
  const defaults = value === null ? [] : [`\`${JSON.stringify(value)}\` by default`]
  const said = [description, ...defaults].filter(Boolean).join('; ')
  return { ...rest, ...(said && { description: said }) }
}

/**
 * Names every schema that a part of the document refers to: by its id, and with `Input` for requests if its two
 * directions differ and both are used.
 */
export function nameSchemas<Part extends Json>(part: Part): { part: Part; schemas: Json } {
  const all = new Map([...registered('input'), ...registered('output')])
  const used = usedBy(part, all)
  const differing = differingIds(all)
  const nameOf = (key: string): string => {
    const [id = '', direction] = key.split(':')
    return direction === 'input' && differing.has(id) && used.has(`${id}:output`) ? `${id}Input` : id
  }
  const renamed = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replace(REFERENCE, (_, key: string) => `"${PLACE}${nameOf(key)}"`))
  const named = [...used].sort().map((key) => [nameOf(key), renamed(all.get(key))] as const)
  return { part: renamed(part), schemas: Object.fromEntries(named) }
}

const REFERENCE = /"#\/components\/schemas\/([^"]+:(?:input|output))"/g

const referredTo = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(REFERENCE)].map(([, key = '']) => key)

/** Returns every schema that has an id, in one direction, by `id:direction`. */
function registered(direction: Direction): [string, Json][] {
  const uri = (id: string) => `${PLACE}${id}:${direction}`
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...optionsFor(direction), uri })
  return Object.entries(schemas).map(([id, { $schema: _dialect, $id: _id, id: _own, ...schema }]) => [
    `${id}:${direction}`,
    JSON.parse(JSON.stringify(schema), describeDefaults),
  ])
}

function usedBy(part: Json, all: ReadonlyMap<string, Json>): Set<string> {
  const used = new Set<string>()
  const waiting = referredTo(part)
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (used.has(key)) continue
    used.add(key)
    waiting.push(...referredTo(all.get(key)))
  }
  return used
}

/** Returns the ids whose directions differ, by themselves or in what they refer to. */
function differingIds(all: ReadonlyMap<string, Json>): Set<string> {
  const ids = [...all.keys()].filter((key) => key.endsWith(':input')).map(idOf)
  const textOf = (key: string) => JSON.stringify(all.get(key)).replaceAll(/:(input|output)"/g, '"')
  const differing = new Set(ids.filter((id) => textOf(`${id}:input`) !== textOf(`${id}:output`)))
  let sizeBefore: number
  do {
    sizeBefore = differing.size
    for (const id of ids) {
      const parts = referredTo(all.get(`${id}:input`)).map(idOf)
      if (parts.some((part) => differing.has(part))) differing.add(id)
    }
  } while (differing.size > sizeBefore)
  return differing
}

/** Returns the id in a key such as `Money:input`. */
const idOf = (key: string): string => key.slice(0, key.lastIndexOf(':'))
